import type { CallObservation } from '@gondola/platform-client/tenant-caller';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { type Logger, LOGGER } from '../logging/logger.ts';

/** The longest call, an upload, ends after 180 s. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];
const MS_PER_SECOND = 1_000;

/** Reports calls of the platform to operators: a log line, a count by result, and the duration of what was sent. */
@Injectable()
export class PlatformCallReport {
  readonly #calls: Counter<'tenant' | 'route' | 'result'>;
  readonly #durations: Histogram<'tenant' | 'route'>;

  constructor(
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const registers = [registry];
    this.#calls = new Counter({
      name: 'gondola_platform_calls_total',
      help: 'Calls of the platform, by route and result: the kind of the answer, or the cause of having none',
      labelNames: ['tenant', 'route', 'result'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'gondola_platform_call_duration_seconds',
      help: 'Duration of calls that were sent to the platform, without their wait for a slot',
      labelNames: ['tenant', 'route'],
      buckets: SECONDS,
      registers,
    });
  }

  /** Refused credentials of a tenant are an error, since an operator has to act; other calls are routine. */
  called({ tenant, route, kind, cause, status, ms }: CallObservation): void {
    this.#calls.inc({ tenant, route, result: cause ?? kind });
    if (ms > 0) this.#durations.observe({ tenant, route }, ms / MS_PER_SECOND);
    const how = { outcome: kind, reason: cause ?? undefined, statusCode: status, durationMs: Math.round(ms) };
    const fields = { tenant, route, ...how };
    if (cause === 'credentials')
      this.logger.error(fields, 'The platform refuses the credentials of a tenant; its circuit breaker is open');
    else if (kind === 'shadow') this.logger.info(fields, 'A call of a tenant in shadow was left out and stored');
    else this.logger.info(fields, 'The platform was called');
  }
}
