import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { CatalogInstallation } from './support/catalog-app.ts';
import { countsOf, LoadsClient } from './support/loads.ts';
import { enters } from './support/shop.ts';
import { rejectedReport } from './support/product-samples.ts';
import { readModelOf } from './support/read-models.ts';
import {
  appliedOf,
  expectedFinals,
  type FileRecord,
  finalsById,
  hasTakenSlug,
  spoiltFile,
  statesOf,
  withResult,
} from './support/spoilt-file.ts';

/** As many as were asked for; load-killed.long.spec.ts has ten times as many, the sandbox and SIGKILL. */
const GENERATED = 2_000;

describe('a load of real and generated products, one in four wrong in some way', () => {
  let gondola: CatalogInstallation;
  let client: LoadsClient;
  let file: FileRecord[];

  beforeAll(async () => {
    file = await spoiltFile(GENERATED);
    const tenant = { id: 'acme', deadlines: { referencesMs: 100 } };
    gondola = await CatalogInstallation.create('cp-spoilt', [tenant], { LOG_LEVEL: 'warn' });
    const shop = gondola.shop();
    shop.everyFate = (product) => {
      const { externalReference, skus } = product;
      if (hasTakenSlug(product)) return rejectedReport('Slug', externalReference);
      shop.readModels.set(externalReference, readModelOf(externalReference, skus as JsonRecord[]));
      return enters(product);
    };
    await gondola.startApp();
    await gondola.readTopics();
    client = new LoadsClient(() => gondola.installation.running.url);
  });

  afterAll(() => gondola.close());

  it('has counts that add up at any time while replicas start and stop, and gives each record one final result (guarantee 3)', async () => {
    const leaving = await gondola.startApp();
    await client.handOver('first', file, Math.floor(file.length / 2));
    await leaving.stop();
    await client.handOver('first', file);
    expect(countsOf(await client.ended('first'))).toEqual(statesOf(file));
    await gondola.until(() => finalKeys().size === withResult(file).length);
    expect(finalsById(gondola.results())).toEqual(expectedFinals(file));
  });

  it('that comes a second time makes no writing call to the platform (rule 28)', async () => {
    const before = gondola.shop().batches.length;
    expect((await client.begin('first', file.length)).body).toMatchObject({ error: { code: 'LOAD_ENDED' } });
    const fresh = appliedOf(file, gondola.results());
    await client.handOver('fresh', fresh);
    expect(countsOf(await client.ended('fresh'))).toEqual({ unchanged: fresh.length });
    expect(gondola.shop().batches).toHaveLength(before);
  });

  function finalKeys(): Set<string> {
    const finals = gondola.results().filter(({ value }) => value['final'] === true);
    return new Set(finals.map(({ key }) => String(key)));
  }
});
