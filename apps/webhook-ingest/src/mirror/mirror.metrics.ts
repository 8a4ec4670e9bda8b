import { CONFIG } from '@gondola/service-kit/config/injected';
import { askedOnceAtATime, collectedGauge } from '@gondola/service-kit/metrics/collected-gauge';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { AttemptOutcome } from './judge-attempt.ts';
import { MirrorDeliveries, type MirrorState } from './mirror-deliveries.repository.ts';

const OUTCOMES = ['sent', 'refused', 'failed'] as const satisfies readonly AttemptOutcome[];

/** Why a notification was dropped that waited for a mirror: beyond `maxAgeMs` or `maxWaiting`, or erased. */
const DROP_REASONS = ['age', 'count', 'erased'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Counts attempts and drops of the mirrors, and shows what waits; without a mirror there is no sample. */
@Injectable()
export class MirrorMetrics {
  readonly #attempts: Counter<'tenant' | 'outcome'>;
  readonly #dropped: Counter<'tenant' | 'reason'>;

  constructor(registry: Registry, deliveries: MirrorDeliveries, @Inject(CONFIG) { mirrors }: Pick<Config, 'mirrors'>) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'gondola_mirror_attempts_total',
      help: 'Attempts to pass a notification on to the tenant’s mirror, by outcome',
      labelNames: ['tenant', 'outcome'],
      registers,
    });
    this.#dropped = new Counter({
      name: 'gondola_mirror_dropped_total',
      help: 'Notifications that waited for the tenant’s mirror and were dropped, by reason',
      labelNames: ['tenant', 'reason'],
      registers,
    });
    for (const tenant of mirrors.keys()) {
      for (const outcome of OUTCOMES) this.#attempts.inc({ tenant, outcome }, 0);
      for (const reason of DROP_REASONS) this.#dropped.inc({ tenant, reason }, 0);
    }
    const states = askedOnceAtATime(async () => (mirrors.size === 0 ? [] : deliveries.states([...mirrors.keys()])));
    const gauge = (name: string, help: string, value: (state: MirrorState) => number): void =>
      collectedGauge(registry, { name, help, labelNames: ['tenant'] }, async () =>
        ((await states()) ?? []).map((state) => ({ labels: { tenant: state.tenant }, value: value(state) })),
      );
    gauge('gondola_mirror_waiting', 'Notifications that wait for the tenant’s mirror', ({ waiting }) => waiting);
    gauge(
      'gondola_mirror_oldest_age_seconds',
      'Age in seconds of the oldest notification that waits for the tenant’s mirror, 0 if none does',
      ({ oldestAt }) => (oldestAt === null ? 0 : (Date.now() - oldestAt.getTime()) / 1_000),
    );
    gauge('gondola_mirror_paused', '1 while an operator has paused the tenant’s mirror, else 0', ({ pausedAt }) =>
      Number(pausedAt !== null),
    );
  }

  attempted(tenant: string, outcome: AttemptOutcome): void {
    this.#attempts.inc({ tenant, outcome });
  }

  dropped(tenant: string, reason: DropReason, count: number): void {
    this.#dropped.inc({ tenant, reason }, count);
  }
}
