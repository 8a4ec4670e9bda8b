import { createHash } from 'node:crypto';
import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { CatalogInstallation } from './support/catalog-app.ts';
import { LoadsClient } from './support/loads.ts';
import { fullProduct, fullSku } from './support/product-samples.ts';

const FILES = 3;
const PRODUCTS = 2;
/** Progress of a load when its client disappears; `ended`: it waits for the end. */
const STOPS = ['begun', 'half', 'handed-over', 'ended'] as const;

const steps = array(record({ file: nat(FILES - 1), stop: constantFrom(...STOPS) }), {
  minLength: 2,
  maxLength: 10,
});

describe('files that are loaded in any order, some of them interrupted', () => {
  let gondola: CatalogInstallation;
  let client: LoadsClient;
  let runs = 0;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-load-sequences', [{ id: 'acme' }]);
    await gondola.startApp();
    client = new LoadsClient(() => gondola.installation.running.url);
  });

  afterAll(async () => {
    // The shop cannot report any more what it takes from now on.
    await gondola.until(async () => (await gondola.query(`SELECT 1 FROM commands WHERE state = 'open'`)).length === 0);
    await gondola.close();
  });

  /** Values of a product that the shop received, in their order. */
  function posted(reference: string): unknown[] {
    const products = gondola.shop().batches.flatMap((batch) => batch.products);
    return products.filter((each) => each.externalReference === reference).map((each) => each['punctuation']);
  }

  async function load(records: readonly object[], stop: (typeof STOPS)[number]): Promise<void> {
    const digest = createHash('sha256').update(JSON.stringify(records)).digest('hex');
    const { loadId, taken } = (await client.begin(null, records.length, { digest })).body;
    if (stop === 'begun') return;
    for (const [place, each] of records.entries()) {
      const { status } = place < taken ? { status: 200 } : await client.take(loadId, place, [each]);
      if (status !== 200) throw new Error(`The part from ${place} was answered ${status}`);
      if (stop === 'half') return;
    }
    if (stop === 'ended') await gondola.until(async () => (await client.load(loadId)).open === 0);
  }

  it('leave the shop with the file that ended last, and send no value twice in a row', async () => {
    const property = asyncProperty(steps, async (played) => {
      runs += 1;
      const references = Array.from({ length: PRODUCTS }, (_, index) => `run-${runs}-${index}`);
      const recordsOf = (file: number) =>
        references.map((reference) => ({
          ...fullProduct({ externalReference: reference, slug: reference, punctuation: file + 1 }),
          skus: [fullSku({ externalReference: `${reference}-1`, reference })],
        }));
      const ends: { reference: string; has: unknown; wanted: number }[] = [];
      for (const { file, stop } of played) {
        await load(recordsOf(file), stop);
        if (stop !== 'ended') continue;
        ends.push(...references.map((reference) => ({ reference, has: posted(reference).at(-1), wanted: file + 1 })));
      }
      expect(ends.filter(({ has, wanted }) => has !== wanted)).toEqual([]);
      for (const values of references.map(posted)) {
        expect(values.filter((value, index) => index > 0 && value === values[index - 1])).toEqual([]);
      }
    });
    await assert(property, { numRuns: sized(10, 60), endOnFailure: true });
  });
});
