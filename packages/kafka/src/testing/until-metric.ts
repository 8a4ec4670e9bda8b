import type { Registry } from 'prom-client';

import { waitFor } from '@gondola/local-stack/wait-for';

/** Waits until a metric has a value: it is counted a moment after the rows or offsets are visible to the test. */
export async function untilMetric(registry: Registry, sample: string): Promise<void> {
  await waitFor(async () => (await registry.metrics()).split('\n').includes(sample), { describe: sample });
}
