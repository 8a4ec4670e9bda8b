import { type INestApplicationContext, type Type } from '@nestjs/common';
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
/**
 * Placed above `@Module`; names the module's providers that start with the app, in their order:
 * `@Starts(TopicProvisioning, OutboxRelay)`. A module that others import starts before them; all stop in reverse
 * order.
 */
export declare function Starts(...providers: readonly Type<Startable>[]): ClassDecorator;
/** The startables of all modules of `app`, in order. Throws if a module starts a provider that it does not have. */
export declare function startablesOf(app: INestApplicationContext): Startable[];
