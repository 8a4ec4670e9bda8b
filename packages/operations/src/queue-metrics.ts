import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

import { Database } from '@gondola/service-kit/database/database';
import { askedOnceAtATime, collectedGauge } from '@gondola/service-kit/metrics/collected-gauge';

import { OLDEST_OPEN } from '@gondola/lanes/commands/commands.sql';
import { COUNT_STUCK, READY_LANES } from '@gondola/lanes/lanes/lanes.sql';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import type { Queryable } from '@gondola/lanes/store/queryable';
import type { RelayBacklog } from '@gondola/lanes/outbox/relay-source';

const MS_PER_SECOND = 1_000;

/** Registers the gauges of the app's outbox and lanes at its start. */
@Injectable()
export class QueueMetrics {
  constructor(registry: Registry, database: Database, relay: OutboxRelay) {
    registerRelayMetrics(registry, database, relay);
    registerLaneMetrics(registry, database);
    registerStuckMetric(registry, database);
    registerOpenMetric(registry, database);
  }
}

/**
 * Backlog of a relay, and whether it is the active one, read at each scrape. While the database does not answer,
 * the backlog is unknown: its gauges are then absent, not 0.
 */
export function registerRelayMetrics(registry: Registry, db: Queryable, relay: OutboxRelay): void {
  const { source } = relay;
  const labels = { source: source.name };
  const backlog = askedOnceAtATime(() => source.backlog(db));
  const ofBacklog = (name: string, help: string, value: (found: RelayBacklog) => number): void =>
    collectedGauge(registry, { name, help, labelNames: ['source'] }, async () => {
      const found = await backlog();
      return found === undefined ? [] : [{ labels, value: value(found) }];
    });
  ofBacklog(
    'gondola_outbox_records',
    'Outbox records that wait to be sent; 100,000 stands for that many or more',
    ({ records }) => records,
  );
  ofBacklog(
    'gondola_outbox_parked_records',
    'Outbox records that Kafka does not accept as they are and that wait for an operator',
    ({ parked }) => parked,
  );
  ofBacklog(
    'gondola_outbox_oldest_age_seconds',
    'Age in seconds of the oldest outbox record that waits to be sent, 0 without such a record',
    ({ oldestMs }) => (oldestMs ?? 0) / MS_PER_SECOND,
  );
  const active = {
    name: 'gondola_relay_active',
    help: '1 in the one process whose relay sends records to Kafka, 0 in the others',
    labelNames: ['source'],
  };
  collectedGauge(registry, active, async () => [{ labels, value: relay.isActive() ? 1 : 0 }]);
  const cut: Counter = new Counter({
    name: 'gondola_relay_comparisons_cut_total',
    help: 'Comparisons with Kafka that a relay which took over ended before all was read; it may have repeated records',
    labelNames: ['source'],
    registers: [registry],
    collect: () => {
      cut.reset();
      cut.inc(labels, relay.cutComparisons);
    },
  });
  const refused = {
    name: 'gondola_relay_refused_topics',
    help: '1 for each topic whose records Kafka refuses for a reason of time, place or rights, while it does; absent otherwise',
    labelNames: ['source', 'topic', 'code'],
  };
  collectedGauge(registry, refused, async () =>
    relay.refusedTopics(Date.now()).map(({ topic, code }) => ({ labels: { ...labels, topic, code }, value: 1 })),
  );
}

interface ReadyLanes {
  readonly tenant: string;
  readonly kind: string;
  readonly lanes: number;
  readonly oldestMs: number;
}

/**
 * Lanes that are due, or whose lease ran out, and that no worker has claimed yet. The gauges are absent while the
 * database does not answer.
 */
export function registerLaneMetrics(registry: Registry, db: Queryable): void {
  const labelNames = ['tenant', 'kind'];
  const ready = askedOnceAtATime(
    async () => (await db.query<ReadyLanes & { [column: string]: unknown }>(READY_LANES)).rows,
  );
  const ofLanes = (name: string, help: string, value: (found: ReadyLanes) => number): void =>
    collectedGauge(registry, { name, help, labelNames }, async () =>
      ((await ready()) ?? []).map((found) => ({
        labels: { tenant: found.tenant, kind: found.kind },
        value: value(found),
      })),
    );
  ofLanes('gondola_lanes_ready', 'Lanes that are due and wait for a worker', ({ lanes }) => lanes);
  ofLanes(
    'gondola_lanes_ready_oldest_age_seconds',
    'Seconds since the due time of the lane that has waited longest for a worker',
    ({ oldestMs }) => oldestMs / MS_PER_SECOND,
  );
}

/** Lanes whose steps failed ten times in a row. Absent without one, and while the database does not answer. */
export function registerStuckMetric(registry: Registry, db: Queryable): void {
  const name = 'gondola_lanes_stuck';
  const help = 'Lanes whose steps failed ten times in a row or more, by tenant and kind of entity';
  collectedGauge(registry, { name, help, labelNames: ['tenant', 'kind'] }, async () => {
    const found = await db
      .query<Pick<ReadyLanes, 'tenant' | 'kind' | 'lanes'> & { [column: string]: unknown }>(COUNT_STUCK)
      .catch(() => null);
    return (found?.rows ?? []).map(({ tenant, kind, lanes }) => ({ labels: { tenant, kind }, value: lanes }));
  });
}

interface OldestOpen {
  readonly tenant: string;
  readonly kind: string;
  readonly seconds: number;
}

/** Age of the open commands that came first. Absent without an open one, and while the database does not answer. */
export function registerOpenMetric(registry: Registry, db: Queryable): void {
  const name = 'gondola_open_oldest_age_seconds';
  const help =
    'Seconds since the receipt of the oldest command or record without a final result, by kind of its entity';
  collectedGauge(registry, { name, help, labelNames: ['tenant', 'kind'] }, async () => {
    const found = await db.query<OldestOpen & { [column: string]: unknown }>(OLDEST_OPEN).catch(() => null);
    return (found?.rows ?? []).map(({ tenant, kind, seconds }) => ({ labels: { tenant, kind }, value: seconds }));
  });
}
