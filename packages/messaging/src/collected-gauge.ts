import { Gauge, Registry } from 'prom-client';

/** What a gauge is called and what it says. */
export interface GaugeName {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
}

/** One value, and what it is about. */
export interface Sample {
  readonly labels: Record<string, string>;
  readonly value: number;
}

/** A gauge that has what `collect` finds at each reading, and nothing of an earlier one. */
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
 * Several gauges of one reading share one answer. Undefined instead of an error, which would take all other metrics
 * along.
 */
export function askedOnceAtATime<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let asking: Promise<T | undefined> | undefined;
  return () =>
    (asking ??= ask()
      .catch(() => undefined)
      .finally(() => (asking = undefined)));
}
