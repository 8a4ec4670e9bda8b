import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { batchOf, controlBatchOf } from '../testing/test-codecs.ts';
import type { AbortedTransaction } from './aborted-transactions.ts';
import { checksum } from './checksum.ts';
import { readRecordSet, RECORD_SET_LIMITS } from './record-set.ts';

type Step = 'send' | 'abort' | 'commit';
interface Written {
  readonly offset: number;
  readonly batch: Buffer;
  /** Its records; empty for the end of a transaction. */
  readonly values: readonly string[];
}
interface Ended extends AbortedTransaction {
  readonly endOffset: number;
}

/** A partition's log as a broker writes it, with its aborted transactions in the order of their ends. */
class Log {
  readonly written: Written[] = [];
  readonly aborted: Ended[] = [];
  readonly #open = new Map<number, { readonly firstOffset: number; readonly values: string[] }>();
  readonly committed = new Set<string>();
  #next = 0;

  async play(producerId: number, step: Step): Promise<void> {
    if (step === 'send') return this.#send(producerId);
    const open = this.#open.get(producerId);
    if (open === undefined) return;
    const offset = this.#next++;
    this.written.push({ offset, batch: await controlBatchOf(step, producerId, offset), values: [] });
    if (step === 'commit') for (const value of open.values) this.committed.add(value);
    else
      this.aborted.push({
        producerId: String(producerId),
        firstOffset: String(open.firstOffset),
        endOffset: offset,
      });
    this.#open.delete(producerId);
  }

  async #send(producerId: number): Promise<void> {
    const firstOffset = this.#next;
    // Producer 0 writes without a transaction. The key of each record looks like that of an abort marker.
    const transactional = producerId !== 0;
    const values = [`${firstOffset} of ${producerId}`, `${firstOffset + 1} of ${producerId}`];
    const messages = values.map((value) => ({ key: Buffer.alloc(4), value }));
    const batch = await batchOf(messages, { firstOffset, producerId, transactional });
    this.#next += values.length;
    this.written.push({ offset: firstOffset, batch, values });
    if (!transactional) for (const value of values) this.committed.add(value);
    else {
      const open = this.#open.get(producerId) ?? { firstOffset, values: [] };
      open.values.push(...values);
      this.#open.set(producerId, open);
    }
  }

  /** Ends every transaction: read_committed reads nothing behind an open one. */
  async close(): Promise<void> {
    for (const producerId of this.#open.keys()) await this.play(producerId, 'abort');
  }
}

const RECORD_COUNT_AT = 57;
const RECORDS_AT = 61;

/** The end of a transaction, its record damaged. */
function damagedEnd(batch: Buffer): Buffer {
  const damaged = Buffer.from(batch);
  damaged.fill(0xff, RECORDS_AT);
  return damaged;
}

/** The end of a transaction whose record a compaction has removed. */
function emptyEnd(batch: Buffer): Buffer {
  const empty = Buffer.from(batch.subarray(0, RECORDS_AT));
  empty.writeInt32BE(0, RECORD_COUNT_AT);
  empty.writeInt32BE(RECORDS_AT - 12, 8);
  return empty;
}

const reader = { limits: RECORD_SET_LIMITS, checksum, readMessages: async () => Promise.reject(new Error('none')) };

describe('records of transactions', () => {
  it('are delivered if they were committed, and no others, however the transactions interleave', async () => {
    const steps = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom<Step>('send', 'send', 'abort', 'commit')),
      { maxLength: 24 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), fc.nat(), async (played, from, until) => {
        const log = new Log();
        for (const [producerId, step] of played) await log.play(producerId, step);
        await log.close();
        // A fetch may begin and end with any batch, and begin within it. The broker lists the transactions that begin
        // before or in it, also long before, and end at or behind its offset, by their ends.
        const first = log.written.length === 0 ? 0 : from % log.written.length;
        const fetched = log.written.slice(first, first + 1 + (until % (log.written.length + 1)));
        const [start] = fetched;
        const fetchOffset = start === undefined ? 0 : start.offset + (until % Math.max(start.values.length, 1));
        const listed = log.aborted.filter(({ endOffset }) => endOffset >= fetchOffset);
        const budget = { bytes: Infinity, records: Infinity };
        const bytes = Buffer.concat(fetched.map(({ batch }) => batch));
        const records = await readRecordSet(bytes, reader, budget, listed);
        const delivered = records.filter(({ isControlRecord }) => !isControlRecord).map(({ value }) => String(value));
        expect(delivered).toEqual(fetched.flatMap(({ values }) => values).filter((value) => log.committed.has(value)));
        // The consumer moves on behind what was rolled back.
        const last = fetched.at(-1);
        expect(records.at(-1)?.offset).toBe(
          last === undefined ? undefined : String(last.offset + Math.max(last.values.length - 1, 0)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are delivered behind the end of a rolled back transaction, also if that end cannot be read', async () => {
    const log = new Log();
    for (const step of ['send', 'abort', 'send', 'commit'] as const) await log.play(1, step);
    const [, end] = log.written;
    for (const damaged of [damagedEnd(end!.batch), emptyEnd(end!.batch)]) {
      const batches = log.written.map(({ batch }) => (batch === end!.batch ? damaged : batch));
      const budget = { bytes: Infinity, records: Infinity };
      const records = await readRecordSet(Buffer.concat(batches), reader, budget, log.aborted);
      const delivered = records.filter(({ isControlRecord }) => !isControlRecord).map(({ value }) => String(value));
      expect(delivered).toEqual([...log.committed]);
    }
  });
});
