import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assert, asyncProperty, tuple } from 'fast-check';
import { PreflightModel } from './support/preflight-model.ts';
import { REQUESTS } from './support/preflight-records.ts';
import { POLICY } from './support/product-samples.ts';

/** `PREFLIGHT_SEED` plays other records. */
const SEED = Number(process.env['PREFLIGHT_SEED'] ?? 20_261_128);
const deadlines = { settleMs: 50 };
const DEFAULTS = {
  product: { punctuation: 5, slug: { from: 'nameAndReference' } },
  sku: { manufacturerCode: 'N/A', name: { from: 'productName' } },
};
/** Rounds of several tenants run side by side. */
const TENANTS = [
  { id: 'plain', deadlines, language: 'en' },
  { id: 'supplied', deadlines, catalog: { units: { KILO: 'Kg' }, defaults: DEFAULTS, allowedExtraKeys: ['cor'] } },
  { id: 'assumed', deadlines, catalog: { assumeExists: { brands: true }, commercialPolicies: { nenhuma: POLICY } } },
  { id: 'other', deadlines },
];

describe('preflight of any records of any kind', () => {
  let model: PreflightModel;

  beforeAll(async () => {
    model = await PreflightModel.start('cp-preflight-model', TENANTS);
  });

  afterAll(() => model.close());

  it('says the outcome and the reasons that the same records then have when they are sent (rules 20, 28, 29, 30)', async () => {
    const rounds = tuple(...TENANTS.map(() => REQUESTS));
    const property = asyncProperty(rounds, async (played) => {
      const differences = await Promise.all(played.map((round, index) => model.play(TENANTS[index]!.id, round)));
      expect(differences.filter((each) => each !== null)).toEqual([]);
    });
    await assert(property, { seed: SEED, numRuns: sized(6, 30), endOnFailure: true });
  });
});
