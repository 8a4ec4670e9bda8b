import { lockSpool, type SpoolLock } from '../outbound/spool-lock.ts';

// A process of its own that tries to take the folder that it is told, for spool-lock.int.spec.ts.
let lock: SpoolLock | undefined;

process.on('message', (folder: string) => void (folder === '' ? giveUp() : contend(folder)));
process.send?.('ready');

async function contend(folder: string): Promise<void> {
  lock = await lockSpool(folder).catch(() => undefined);
  process.send?.(lock === undefined ? 'refused' : 'holds');
}

async function giveUp(): Promise<void> {
  await lock?.release();
  lock = undefined;
  process.send?.('gave up');
}
