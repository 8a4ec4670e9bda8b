import { type INestApplicationContext, SetMetadata, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/**
 * A component that is started after HTTP listens and stopped before the process ends: the database, a consumer, a
 * lane worker, the relay. Startables start in order and stop in reverse order.
 */
export interface Startable {
  /** One word, in English; shown in `/health/ready` and in the log. */
  readonly name: string;
  /**
   * True: neither readiness nor later startables wait for this one (webhook-ingest accepts without PostgreSQL and
   * Kafka). It is still shown in `/health/ready`, and a permanent failure still ends the process.
   */
  readonly background?: boolean;
  /**
   * True: no failure of its start is permanent. A failure that waiting alone does not cure (pending migrations, a
   * wrong password) is logged as an error and retried, since the process is more useful without this component than
   * not running.
   */
  readonly retriesEveryFailure?: boolean;
  /** One sentence on what a start of several seconds waits for; shown in `/health/ready` during the start. */
  readonly waitsFor?: string | undefined;
  /** Called again after a transient failure, so it must undo a partial start before it throws. */
  start(): Promise<void>;
  /**
   * Must not throw because of unfinished work, which leases and offsets make safe to leave. May be called during a
   * slow `start`.
   */
  stop(): Promise<void>;
}

const STARTS = 'gondola:starts';

/**
 * Placed above `@Module`; names the module's providers that start with the app, in their order:
 * `@Starts(TopicProvisioning, OutboxRelay)`. A module that others import starts before them; all stop in reverse
 * order.
 */
export function Starts(...providers: readonly Type<Startable>[]): ClassDecorator {
  return SetMetadata(STARTS, providers);
}

/** The startables of all modules of `app`, in order. Throws if a module starts a provider that it does not have. */
export function startablesOf(app: INestApplicationContext): Startable[] {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  // Modules far from the root are imported by more modules. The sort is stable: equal ones stay in the order of
  // `imports`.
  const outermostLast = modules.toSorted((one, other) => other.distance - one.distance);
  return outermostLast.flatMap((module) => {
    const tokens = (Reflect.getMetadata(STARTS, module.metatype) ?? []) as Type<Startable>[];
    return tokens.map((token) => {
      const instance = module.providers.get(token)?.instance as Startable | undefined;
      if (instance === undefined) throw new Error(`${module.name} starts ${token.name} but does not provide it`);
      return instance;
    });
  });
}
