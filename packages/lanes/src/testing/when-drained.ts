import type { RelaySource } from '../outbox/relay-source.ts';

/**
 * Settles once a relay has published and marked `records` more records of `source`, and none waits; with 0 once it is
 * active and none waits.
 */
export function whenDrained(source: RelaySource, records: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const advance = source.advance.bind(source);
  let left = records;
  source.advance = async (connection, step) => {
    const rows = await advance(connection, step);
    left -= rows.length;
    if (left <= 0 && rows.length === 0 && step.underWay.length === 0) resolve();
    return rows;
  };
  return promise;
}
