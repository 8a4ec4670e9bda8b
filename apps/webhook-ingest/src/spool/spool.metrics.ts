import { Counter, Gauge, type Registry } from 'prom-client';
import type { Spool } from './spool.adapter.ts';
import type { InboxOrSpool } from './inbox-or-spool.service.ts';

const MS_PER_SECOND = 1_000;

/** What the spool holds, and whether notifications go into it. Returns what counts the imported ones. */
export function registerSpoolMetrics(
  registry: Registry,
  spool: Spool,
  keeper: InboxOrSpool,
): (records: number) => void {
  const gauge = (name: string, help: string, value: () => number): void => {
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(value()) });
  };
  gauge('gondola_spool_active', '1 while notifications go into the spool', () => Number(keeper.isSpooling));
  gauge('gondola_spool_writable', '1 while the spool can take notifications', () => Number(spool.isWritable));
  gauge('gondola_spool_records', 'Notifications that wait in the spool', () => spool.stats().records);
  gauge('gondola_spool_bytes', 'What the spool takes of the disk', () => spool.stats().bytes);
  gauge('gondola_spool_limit_bytes', 'What it may take: SPOOL_MAX_BYTES', () => spool.maxBytes);
  gauge('gondola_spool_oldest_age_seconds', 'Age of the oldest notification in it, 0 if it has none', () => {
    const { oldest } = spool.stats();
    return oldest === null ? 0 : (Date.now() - oldest.getTime()) / MS_PER_SECOND;
  });
  gauge(
    'gondola_spool_aside_files',
    'Files that could not be imported, and that somebody must look at',
    () => spool.aside.files,
  );
  const imported = new Counter({
    name: 'gondola_spool_imported_total',
    help: 'Notifications that went from the spool into the inbox',
    registers: [registry],
  });
  return (records) => imported.inc(records);
}
