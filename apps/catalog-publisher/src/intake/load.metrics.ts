import { askedOnceAtATime, collectedGauge } from '@gondola/service-kit/metrics/collected-gauge';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { LOAD_STATES, type ShownLoad } from './load-progress.ts';
import { ShowLoads } from './show-loads.service.ts';

/** Most loads in the metrics, newest first: their names are labels, which must stay few. */
const MOST_LOADS = 20;
const MS_PER_SECOND = 1_000;

/**
 * Gauges of open loads. Absent while the database does not answer, and once no record is open.
 */
@Injectable()
export class LoadMetrics {
  constructor(registry: Registry, loads: ShowLoads, clock: Clock) {
    const running = askedOnceAtATime(() => loads.running(MOST_LOADS));
    const labelNames = ['tenant', 'load'];
    const records = {
      name: 'gondola_catalog_load_records',
      help: `Records of the ${MOST_LOADS} newest loads under way, by state`,
      labelNames: [...labelNames, 'state'],
    };
    collectedGauge(registry, records, async () =>
      ((await running()) ?? []).flatMap((load) =>
        LOAD_STATES.map((state) => ({ labels: { ...labelsOf(load), state }, value: load.counts[state] })),
      ),
    );
    const rate = {
      name: 'gondola_catalog_load_records_per_minute',
      help: 'Records of a load under way that ended in the last minute',
      labelNames,
    };
    collectedGauge(registry, rate, async () =>
      ((await running()) ?? []).map((load) => ({ labels: labelsOf(load), value: load.perMinute })),
    );
    const end = {
      name: 'gondola_catalog_load_remaining_seconds',
      help: 'Estimated time in seconds until a load under way has ended; absent while none of its records ends',
      labelNames,
    };
    collectedGauge(registry, end, async () =>
      ((await running()) ?? []).flatMap((load) =>
        load.estimatedEndAt === null
          ? []
          : [{ labels: labelsOf(load), value: (Date.parse(load.estimatedEndAt) - clock.now()) / MS_PER_SECOND }],
      ),
    );
  }
}

function labelsOf({ tenant, loadId }: ShownLoad): { tenant: string; load: string } {
  return { tenant, load: loadId };
}
