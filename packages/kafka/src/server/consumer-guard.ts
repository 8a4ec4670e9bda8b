import type { Consumer } from 'kafkajs';

import type { Logger } from '@gondola/service-kit/logging/logger';

export interface ConsumerGuardOptions {
  /** The process exits after this time without a sign of life, in milliseconds. */
  readonly stuckMs: number;
  /** Time limit of one handler, in milliseconds. */
  readonly handlerMs: number;
  readonly logger: Logger;
  /** Exits the process; called once. */
  readonly exit: (code: number) => void;
}

const CHECKS_PER_LIMIT = 10;

/**
 * Exits the process rather than let it run on without consuming: after a crash from which kafkajs does not recover
 * (`restart: false`), when the consumer shows no sign of life, when a handler never ends, and when a record can be
 * neither stored nor dead-lettered.
 *
 * Time is counted in ticks of a timer, so that a process which was itself suspended does not count as stuck. Tested
 * in consumer-exit.long.spec.ts.
 */
export class ConsumerGuard {
  readonly #options: ConsumerGuardOptions;
  readonly #checkMs: number;
  readonly #handlerMs = new Map<symbol, number>();
  #quietMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: ConsumerGuardOptions) {
    this.#options = options;
    this.#checkMs = Math.ceil(options.stuckMs / CHECKS_PER_LIMIT);
  }

  /** Begins to watch a consumer; a second call replaces the first consumer. */
  watch(consumer: Consumer): void {
    const alive = (): void => {
      this.#quietMs = 0;
    };
    const { CRASH, REQUEST_QUEUE_SIZE } = consumer.events;
    // A growing request queue is no sign of life; every other event is.
    const signs = Object.values(consumer.events).filter((event) => event !== CRASH && event !== REQUEST_QUEUE_SIZE);
    for (const sign of signs) consumer.on(sign, alive);
    consumer.on(CRASH, ({ payload }) => {
      alive();
      if (payload.restart) this.#options.logger.warn({ err: payload.error }, 'The consumer failed and restarts');
      else this.end(payload.error, 'The consumer failed for good');
    });
    this.#quietMs = 0;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#check(), this.#checkMs);
  }

  /** Runs a handler with its time limit. */
  async handling<T>(work: () => Promise<T>): Promise<T> {
    const handler = Symbol('handler');
    this.#handlerMs.set(handler, 0);
    try {
      return await work();
    } finally {
      this.#handlerMs.delete(handler);
    }
  }

  end(err: unknown, reason: string, fields: object = {}): void {
    if (this.#ended) return;
    this.stop();
    this.#ended = true;
    this.#options.logger.fatal({ ...fields, err }, `${reason}; the process ends, so that it is restarted`);
    this.#options.exit(1);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    this.#quietMs += this.#checkMs;
    for (const [handler, ms] of this.#handlerMs) this.#handlerMs.set(handler, ms + this.#checkMs);
    const { stuckMs, handlerMs } = this.#options;
    if (this.#quietMs >= stuckMs) {
      this.end(undefined, 'The consumer shows no sign of life', { ms: this.#quietMs });
    } else if ([...this.#handlerMs.values()].some((ms) => ms >= handlerMs)) {
      this.end(undefined, 'A handler does not end', { ms: handlerMs });
    }
  }
}
