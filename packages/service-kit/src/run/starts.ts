import { SetMetadata } from '@nestjs/common';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Startable } from './startable.ts';

const STARTS = 'gondola:starts';

/**
 * Stands above `@Module` and names the module's providers that start with the app, in their order:
 * `@Starts(TopicProvisioning, OutboxRelay)`. A module that others import starts before them; all stop in reverse.
 */
export function Starts(...providers: readonly Type<Startable>[]): ClassDecorator {
  return SetMetadata(STARTS, providers);
}

/** What the modules of `app` start, in order. Throws where a module starts what it does not provide. */
export function startablesOf(app: INestApplicationContext): Startable[] {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  // The farther from the root, the more modules import it. The sort is stable: others keep the order of `imports`.
  const outermostLast = modules.toSorted((one, other) => other.distance - one.distance);
  return outermostLast.flatMap((module) => {
    const tokens = (Reflect.getMetadata(STARTS, module.metatype) ?? []) as Type<Startable>[];
    return tokens.map((token) => {
      const instance = module.providers.get(token)?.instance as Startable | undefined;
      if (instance === undefined) throw new Error(`${module.name} starts ${token.name}, and does not provide it`);
      return instance;
    });
  });
}
