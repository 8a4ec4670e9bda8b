import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { fullProduct, fullSku, partialReport } from './support/product-samples.ts';
import { CatalogInstallation } from './support/catalog-app.ts';
import { guidOf, readModelOf } from './support/read-models.ts';

const sku = (externalReference: string, more: JsonRecord = {}) =>
  fullSku({ externalReference, reference: externalReference, ...more });
const product = (externalReference: string, skus: readonly object[], more: object = {}) => ({
  ...fullProduct({ externalReference }),
  skus,
  ...more,
});

const valueOf = ({ value }: { value: Buffer | null }) => JSON.parse(String(value)) as Record<string, unknown>;

describe('SKUs, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-skus', [{ id: 'acme' }]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const outcomeOf = async (commandId: string) => (await gondola.resultOf(commandId)).value;

  it('are published with the platform’s GUIDs once their product is applied, exactly in the form of the contract', async () => {
    gondola.shop().readModels.set('1', readModelOf('1', [sku('1-a')]));
    await gondola.produce({ value: product('1', [sku('1-a', { arithmeticFactor: '0.100' })], { recordId: 'r-1' }) });
    const record = await gondola.skuOf('1-a');
    const { headers } = await gondola.resultOf('r-1');
    expect(record.key).toBe('acme/1-a');
    expect(record.headers).toEqual({
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: 'acme/1-a:1',
      ce_source: '/gondola/catalog-publisher',
      ce_type: 'gondola.sku.v1',
      ce_subject: 'sku/1-a',
      ce_time: expect.any(String),
      ce_tenant: 'acme',
      ce_partitionkey: 'acme/sku/1-a',
      ce_commandid: 'r-1',
      traceparent: headers['traceparent'],
    });
    expect(valueOf(record)).toEqual({
      id: 'acme/1-a:1',
      type: 'gondola.sku.v1',
      tenant: 'acme',
      time: record.headers['ce_time'],
      skuExternalReference: '1-a',
      skuId: guidOf('1-a'),
      productExternalReference: '1',
      productId: guidOf('1'),
      name: 'Queijo Minas Frescal',
      ean: '7891000100103',
      reference: '1-a',
      unitOfMeasurement: 'Kg',
      arithmeticFactor: '0.1',
      active: true,
    });
  });

  it('are published again only if something differs; a removed one is a tombstone', async () => {
    const shop = gondola.shop();
    const [a, b] = [sku('2-a'), sku('2-b', { ean: '7891000053508' })];
    shop.readModels.set('2', readModelOf('2', [a, b]));
    await gondola.produce({ value: product('2', [a, b], { recordId: 'a-2' }) });
    await gondola.skuOf('2-a');
    await gondola.skuOf('2-b');
    shop.readModels.set('2', readModelOf('2', [a], { active: false }));
    await gondola.produce({ value: { externalReference: '2', op: 'deactivate', recordId: 'b-2' } });
    const second = await gondola.skuOf('2-a', 2);
    expect(second.headers['ce_id']).toBe('acme/2-a:2');
    expect(valueOf(second)).toMatchObject({ active: false, skuId: guidOf('2-a') });
    const gone = await gondola.skuOf('2-b', 2);
    const headers = { ce_id: 'acme/2-b:2', ce_tenant: 'acme', ce_subject: 'sku/2-b', ce_commandid: expect.any(String) };
    expect(gone).toMatchObject({ key: 'acme/2-b', value: null, headers });
    expect(gone.headers).not.toHaveProperty('content-type');
    // A removed SKU no longer counts as applied: the same record restores it.
    shop.readModels.set('2', readModelOf('2', [a, b], { active: false }));
    await gondola.produce({ value: { ...product('2', [a, b], { recordId: 'c-2' }), active: false } });
    expect(await outcomeOf('c-2')).toMatchObject({ outcome: 'applied' });
    expect(valueOf(await gondola.skuOf('2-b', 3))).toMatchObject({ id: 'acme/2-b:3', active: false });
    expect(gondola.skus('2-a')).toHaveLength(2);
  });

  it('are published once they can be read with their product, however often they cannot at first', async () => {
    const shop = gondola.shop();
    await gondola.produce({ value: product('3', [sku('3-a')], { recordId: 'r-3' }) });
    expect(await outcomeOf('r-3')).toMatchObject({ outcome: 'applied' });
    await gondola.until(() => shop.reads.includes('3'));
    shop.readModels.set('3', readModelOf('3', []));
    const before = shop.reads.filter((reference) => reference === '3').length;
    await gondola.until(() => shop.reads.filter((reference) => reference === '3').length > before);
    shop.readModels.set('3', readModelOf('3', [sku('3-a')]));
    expect(valueOf(await gondola.skuOf('3-a'))).toMatchObject({ skuId: guidOf('3-a') });
  });

  it('that were applied are published although others of their product were refused, and the refused ones belong to no product (rules 26, 29)', async () => {
    const shop = gondola.shop();
    shop.fates.set('4', () => partialReport('4', '4-a', '4-b'));
    shop.readModels.set('4', readModelOf('4', [sku('4-a')]));
    await gondola.produce({ value: product('4', [sku('4-a'), sku('4-b')], { recordId: 'r-4' }) });
    await gondola.skuOf('4-a');
    expect(gondola.skus('4-b')).toEqual([]);
    await gondola.produce({ value: product('4x', [sku('4-b')], { recordId: 'r-4x' }) });
    expect(await outcomeOf('r-4x')).toMatchObject({ outcome: 'applied' });
  });

  it('cannot appear under a second product, also not of the same batch (rule 29)', async () => {
    await gondola.produce({ value: product('5', [sku('5-a')], { recordId: 'r-5' }) });
    await outcomeOf('r-5');
    await gondola.produce({ value: product('6', [sku('6-a'), sku('5-a')], { recordId: 'r-6' }) });
    expect(await outcomeOf('r-6')).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'REFERENCE_IMMUTABLE' },
      errors: [{ skuExternalReference: '5-a', field: 'externalReference', code: 'REFERENCE_IMMUTABLE', hint: '5' }],
      skus: [
        { externalReference: '6-a', outcome: 'invalid', errors: [] },
        { externalReference: '5-a', outcome: 'invalid', errors: [{ code: 'REFERENCE_IMMUTABLE' }] },
      ],
    });
    expect(gondola.shop().batchesOf('6')).toEqual([]);
    const both = ['7', '8'].map((reference) => ({
      value: product(reference, [sku('shared')], { recordId: `r-${reference}` }),
    }));
    await gondola.produce(...both);
    const outcomes = [await outcomeOf('r-7'), await outcomeOf('r-8')].map(({ outcome }) => String(outcome));
    expect(outcomes.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(['applied', 'invalid']);
  });

  it('cannot change their reference: recognised by the platform’s id, or by reference and barcode together (rule 29)', async () => {
    gondola.shop().readModels.set('9', readModelOf('9', [sku('9-a')]));
    await gondola.produce({ value: product('9', [sku('9-a')], { recordId: 'a-9' }) });
    await gondola.skuOf('9-a');
    const renamed = sku('9-z', { reference: '9-a' });
    await gondola.produce({ value: product('9', [renamed], { recordId: 'b-9' }) });
    expect(await outcomeOf('b-9')).toMatchObject({
      outcome: 'invalid',
      errors: [{ skuExternalReference: '9-z', code: 'REFERENCE_IMMUTABLE', hint: '9-a' }],
    });
    const byId = { ...sku('9-y', { ean: '7891000053508' }), id: guidOf('9-a') };
    await gondola.produce({ value: product('9', [sku('9-a'), byId], { recordId: 'c-9' }) });
    expect(await outcomeOf('c-9')).toMatchObject({ errors: [{ skuExternalReference: '9-y', hint: '9-a' }] });
    const another = sku('9-b', { ean: '7891000053508' });
    await gondola.produce({ value: product('9', [sku('9-a'), another], { recordId: 'd-9' }) });
    expect(await outcomeOf('d-9')).toMatchObject({ outcome: 'applied' });
  });
});
