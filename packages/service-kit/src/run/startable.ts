import { type INestApplicationContext, SetMetadata, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/**
 * A component that is started after HTTP listens and stopped before the process ends: the database, a consumer, a lane
 * worker, the relay. Startables start in order and stop in reverse.
 */
export interface Startable {
  /** Shown in `/health/ready` and in the log; one word, in English. */
  readonly name: string;
  /**
   * True: neither readiness nor the startables after it wait for this one (webhook-ingest accepts without PostgreSQL
   * and Kafka). It is shown in `/health/ready` all the same, and a permanent failure still ends the process.
   */
  readonly background?: boolean;
  /**
   * True: no failure of its start is permanent. One that waiting alone will not heal (migrations that somebody must
   * run, a wrong password) is logged as an error, and tried again all the same, since the process does better without
   * this one than not at all.
   */
  readonly keepsTrying?: boolean;
  /**
   * One sentence on what a start of several seconds waits for; shown in `/health/ready` while it starts.
   */
  readonly waitsFor?: string | undefined;
  /** Called again after a transient failure, so a half-done start must have been undone when it throws. */
  start(): Promise<void>;
  /**
   * Never throws for work that is merely unfinished: leases and offsets make it safe to leave. May come while a slow
   * `start` is still under way.
   */
  stop(): Promise<void>;
}

const STARTS = 'gondola:starts';

/**
 * Stands above `@Module` and names the module's providers that start with the app, in their order:
 * `@Starts(TopicProvisioning, OutboxRelay)`. A module that others import starts before them; all stop in reverse.
 */
export function Starts(...providers: readonly Type<Startable>[]): ClassDecorator {
  return SetMetadata(STARTS, providers);
}

/** The startables of the modules of `app`, in order. Throws where a module starts what it does not provide. */
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
