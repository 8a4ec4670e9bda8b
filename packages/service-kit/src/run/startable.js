import { SetMetadata } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
const STARTS = 'gondola:starts';
/**
 * Placed above `@Module`; names the module's providers that start with the app, in their order:
 * `@Starts(TopicProvisioning, OutboxRelay)`. A module that others import starts before them; all stop in reverse
 * order.
 */
export function Starts(...providers) {
  return SetMetadata(STARTS, providers);
}
/** The startables of all modules of `app`, in order. Throws if a module starts a provider that it does not have. */
export function startablesOf(app) {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  // Modules far from the root are imported by more modules. The sort is stable: equal ones stay in the order of
  // `imports`.
  const outermostLast = modules.toSorted((one, other) => other.distance - one.distance);
  return outermostLast.flatMap((module) => {
    const tokens = Reflect.getMetadata(STARTS, module.metatype) ?? [];
    return tokens.map((token) => {
      const instance = module.providers.get(token)?.instance;
      if (instance === undefined) throw new Error(`${module.name} starts ${token.name} but does not provide it`);
      return instance;
    });
  });
}
//# sourceMappingURL=startable.js.map
