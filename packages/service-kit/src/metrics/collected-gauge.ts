import { Gauge, Registry } from 'prom-client';

export interface GaugeName {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
}

/** One value with its labels. */
export interface Sample {
  readonly labels: Record<string, string>;
  readonly value: number;
}

/** A gauge that shows only the samples that `collect` returns at each scrape, and none of an earlier scrape. */
export function collectedGauge(
  registry: Registry,
  { name, help, labelNames }: GaugeName,
  collect: () => Promise<Sample[]>,
): void {
  const made: Gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect: async () => {
      const samples = await collect();
      made.reset();
      for (const { labels, value } of samples) made.set(labels, value);
    },
  });
}

/**
 * Lets several gauges share one query per scrape. Returns undefined instead of an error, since an error would make
 * the scrape fail for all metrics.
 */
export function askedOnceAtATime<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let asking: Promise<T | undefined> | undefined;
  return () =>
    (asking ??= ask()
      .catch(() => undefined)
      .finally(() => (asking = undefined)));
}
