import { lastRelease, sourcesOf } from '@gondola/local-stack/testing/last-release';
import type { ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { readByContract } from '@gondola/kafka/testing/read-by-contract';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadTheShelf } from '../play/day/load-the-shelf.ts';
import { ROOT } from '../play/gondola.ts';
import { Load, ORDERS_AT_ONCE } from './testing/load.ts';
import { type RolledGondola, withRolledGondola } from './testing/rolled-gondola.ts';

const TWICE = { kind: 'webhook-double', event: 'Order_.*', share: 0.2, seed: 30 };

const commit = lastRelease();

(commit === null ? describe.skip : describe)('a roll-out (skipped without the sources of the last release)', () => {
  let last: ReturnType<typeof sourcesOf>;

  beforeAll(() => {
    last = sourcesOf(commit!);
  });

  afterAll(() => last.remove());

  it('replaces the last release by today’s apps under load, and back, and loses and doubles nothing', async () => {
    await withRolledGondola(last.folder, async (gondola) => {
      const { context, fleet } = gondola;
      await loadTheShelf(context);
      await context.shop.bend(TWICE);
      const load = new Load(gondola);
      for (const sources of [ROOT, last.folder]) {
        await load.during(async () => {
          await load.goOn(2 * ORDERS_AT_ONCE);
          await fleet.migrate(sources);
          await fleet.roll(sources);
          await load.goOn(2 * ORDERS_AT_ONCE);
        });
      }
      await load.stop();
      await context.shop.waitUntilQuiet(ANSWER_LIMIT_MS);
      expect(await lostIn(gondola, load)).toEqual([]);
      const records = await readByContract(gondola.prefix);
      expect(await doubledIn(gondola, records)).toEqual([]);
      expect(records.filter(({ topic }) => topic.endsWith('dead-letters.v1'))).toEqual([]);
      expect(await context.ingest.call('GET', '/api/quarantine?tenant=acme')).toMatchObject({ entries: [] });
    });
  });
});

/** Differences between the books of shop, Gondola and ERP, and commands and records that were not applied. */
async function lostIn({ context }: RolledGondola, { day, products }: Load): Promise<unknown[]> {
  let problems: string[] = [];
  const isEqual = async () => (problems = await day.problems()).length === 0;
  await waitFor(isEqual, { describe: 'equal books' }).catch(() => {});
  const ends = [...day.merchant.sent(), ...products].map(({ commandId }) => context.erp.endOf(commandId));
  return [...problems, ...ends.filter((end) => end?.outcome !== 'applied')];
}

/** Records of Gondola that are in their topic twice, and calls that changed an order twice. */
async function doubledIn({ context }: RolledGondola, records: readonly ReadRecord[]): Promise<string[]> {
  const written = records.filter(({ headers }) => headers['ce_id'] !== undefined);
  const ids = written.map(({ topic, headers }) => `${topic} ${headers['ce_id']}`);
  return [...repeats(ids), ...repeats(await context.shop.changesOfOrders())];
}

function repeats(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}
