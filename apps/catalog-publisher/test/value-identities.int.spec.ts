import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku, POLICY } from './support/product-samples.ts';
import { guidOf, readModelOf } from './support/read-models.ts';

const PRICES = 'erp.catalog.prices.v1';
const STOCK = 'erp.catalog.stock.v1';
const WAREHOUSES = 'erp.catalog.warehouses.v1';
/** Each test has SKUs of its own. */
const SKUS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const STORES = Array.from({ length: 40 }, (_, index) => `loja-${String(index + 1).padStart(2, '0')}`);

type Topic = typeof PRICES | typeof STOCK | typeof WAREHOUSES;

const price = (recordId: string, amount: string, sourceVersion: number) => ({
  externalReference: 'f',
  recordId,
  policy: POLICY,
  sourceVersion,
  data: { price: amount },
});

describe('values of one SKU, each with the identity that the platform sees, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    const catalog = { commercialPolicies: { varejo: POLICY } };
    gondola = await CatalogInstallation.create('cp-identities', [
      { id: 'acme', deadlines: { settleMs: 300 }, catalog },
    ]);
    await gondola.startApp();
    await gondola.readTopics();
    const skus = SKUS.map((each) => fullSku({ externalReference: each, reference: each }));
    gondola.shop().readModels.set('1', readModelOf('1', skus));
    await gondola.produce({ value: { ...fullProduct({ externalReference: '1' }), skus } });
    for (const each of SKUS) await gondola.skuOf(each);
  });

  afterAll(() => gondola.close());

  const send = (topic: Topic, ...values: object[]) =>
    gondola.produceTo(topic, ...values.map((value) => ({ value, key: 'same' })));
  const outcomeOf = async (commandId: string, count = 1) => (await gondola.resultOf(commandId, count)).value;
  const posted = (sku: string): Record<string, unknown>[] =>
    gondola
      .shop()
      .references.flatMap(({ items }) => items as Record<string, unknown>[])
      .filter(({ skuId }) => skuId === guidOf(sku));

  /** Field and those of the texts that the error of a record names. */
  const contradictionOf = async (recordId: string, ...texts: string[]) => {
    const { outcome, errors } = await outcomeOf(recordId);
    expect([outcome, errors]).toMatchObject(['invalid', [{ code: 'NAMES_CONTRADICT' }]]);
    const [error] = errors as { readonly field: string }[];
    return [error?.field, ...texts.filter((text) => JSON.stringify(errors).includes(text))];
  };

  it('the stock of 40 stores that data names is 40 values: all are applied (rule 30)', async () => {
    const records = STORES.map((warehouseId, index) => ({
      externalReference: 'a',
      recordId: `a/${warehouseId}`,
      data: { warehouseId, quantity: index },
    }));
    await send(STOCK, ...records);
    for (const { recordId, data } of records) {
      expect(await outcomeOf(recordId)).toMatchObject({
        outcome: 'applied',
        entity: { kind: 'stock', externalReference: 'a', warehouse: data.warehouseId },
      });
    }
    expect(posted('a')).toHaveLength(40);
  });

  it('the warehouse that a record names beside data is posted with it, as in the guide (rule 30)', async () => {
    await send(STOCK, { externalReference: 'b', recordId: 'b', warehouse: 'loja-03', data: { quantity: 12 } });
    expect(await outcomeOf('b')).toMatchObject({ outcome: 'applied' });
    expect(posted('b')).toEqual([{ quantity: 12, skuId: guidOf('b'), warehouseId: 'loja-03' }]);
    await send(STOCK, {
      externalReference: 'b',
      recordId: 'b2',
      data: { quantity: 12, warehouseId: 'loja-03', skuId: guidOf('b') },
    });
    expect(await outcomeOf('b2')).toMatchObject({ outcome: 'unchanged' });
  });

  it('a policy under its alias, its GUID, or in data is one value, of which the newest goes (rules 23, 30)', async () => {
    gondola.shop().before = ({ path }) =>
      path.endsWith('/Pricing') ? { status: 429, headers: { 'retry-after': '1' } } : undefined;
    const names = [
      { policy: 'varejo', data: {} },
      { policy: POLICY, data: {} },
      { data: { commercialPolicyId: POLICY } },
      { data: { commercialPolicyId: 'varejo' } },
    ];
    await send(
      PRICES,
      ...names.map(({ data, ...beside }, n) => ({
        externalReference: 'c',
        recordId: `c${n}`,
        ...beside,
        data: { ...data, price: `${n}.00` },
      })),
    );
    for (const n of [1, 2]) expect(await outcomeOf(`c${n}`)).toMatchObject({ outcome: 'superseded' });
    gondola.shop().before = () => undefined;
    expect(await outcomeOf('c3')).toMatchObject({ outcome: 'applied', entity: { policy: POLICY } });
    expect(posted('c').at(-1)).toEqual({ price: '3.00', skuId: guidOf('c'), commercialPolicyId: POLICY });
  });

  it('a warehouse is the one of its id, under whatever reference, and a correction names the reference of its record (rule 30)', async () => {
    await send(WAREHOUSES, { externalReference: 'cd-1', recordId: 'w1', data: { id: 7, name: 'Centro' } });
    expect(await outcomeOf('w1')).toMatchObject({ outcome: 'applied', entity: { externalReference: 'cd-1' } });
    await send(WAREHOUSES, { externalReference: 'CD 1', recordId: 'w2', data: { id: '7', name: 'Centro' } });
    expect(await outcomeOf('w2')).toMatchObject({ outcome: 'applied', entity: { externalReference: 'CD 1' } });
    await send(WAREHOUSES, { externalReference: 'cd-1', recordId: 'w3', data: { id: '7', name: 'Centro' } });
    expect(await outcomeOf('w3')).toMatchObject({ outcome: 'unchanged', entity: { externalReference: 'cd-1' } });
    await send(WAREHOUSES, { externalReference: 'cd-1', recordId: 'w4', data: { id: 8, name: 'Centro' } });
    expect(await outcomeOf('w4')).toMatchObject({ outcome: 'applied' });
    const { operationId } = gondola.shop().references.at(-1)!;
    await gondola.notify('acme', {
      operationId,
      relatedEntity: 'Warehouse',
      eventType: 'Warehouse_UpdateFailed',
      data: { id: 8 },
      error: { statusCode: 422, message: '{}' },
    });
    expect(await outcomeOf('w4', 2)).toMatchObject({
      outcome: 'corrected',
      correctedOutcome: 'refused',
      entity: { kind: 'warehouse', externalReference: 'cd-1' },
    });
  });

  it('a record that names two warehouses, policies or SKUs is invalid, with both (rule 30)', async () => {
    const other = guidOf('other');
    await send(STOCK, { externalReference: 'd', recordId: 'd1', warehouse: 'one', data: { warehouseId: 'two' } });
    await send(PRICES, {
      externalReference: 'd',
      recordId: 'd2',
      policy: 'varejo',
      data: { commercialPolicyId: other },
    });
    await send(PRICES, { externalReference: 'd', recordId: 'd3', policy: 'x', data: { skuId: other } });
    expect(await contradictionOf('d1', 'one', 'two')).toEqual(['data.warehouseId', 'one', 'two']);
    expect(await contradictionOf('d2', other, 'varejo')).toEqual(['data.commercialPolicyId', other, 'varejo']);
    expect(await contradictionOf('d3', other, guidOf('d'))).toEqual(['data.skuId', other, guidOf('d')]);
  });

  it('an open record of an earlier version goes on in the lane of its value, behind what came before it, and is still known as a repeat', async () => {
    const first = { externalReference: 'e', recordId: 'e1', policy: 'varejo', data: { price: '1.00' } };
    gondola.shop().before = ({ path }) =>
      path.endsWith('/Pricing') ? { status: 429, headers: { 'retry-after': '1' } } : undefined;
    await send(PRICES, first);
    await gondola.until(async () => (await gondola.query(`SELECT 1 FROM commands WHERE command_id = 'e1'`)).length > 0);
    await gondola.query(
      `WITH former AS (
         INSERT INTO lanes (tenant, kind, identity, due_at) VALUES ('acme', 'price', 'e/policy=varejo', now() + interval '1 day')
         RETURNING id
       ) UPDATE commands SET lane_id = former.id, progress = NULL FROM former WHERE command_id = 'e1'`,
    );
    await send(PRICES, { ...first, recordId: 'e2', policy: POLICY, data: { price: '2.00' } });
    await gondola.query(`UPDATE lanes SET due_at = now() WHERE identity = 'e/policy=varejo'`);
    expect(await outcomeOf('e1')).toMatchObject({ outcome: 'superseded' });
    gondola.shop().before = () => undefined;
    expect(await outcomeOf('e2')).toMatchObject({ outcome: 'applied' });
    await send(PRICES, first);
    await send(PRICES, { ...first, recordId: 'e3', data: { price: '3.00' } });
    expect(await outcomeOf('e3')).toMatchObject({ outcome: 'applied' });
    expect(gondola.results('e1')).toHaveLength(1);
  });

  it('what an earlier version applied under another name makes no value unchanged, and keeps its version (rule 28)', async () => {
    const inShop = { skuId: guidOf('f'), commercialPolicyId: POLICY };
    await send(PRICES, price('f1', '1.00', 1));
    expect(await outcomeOf('f1')).toMatchObject({ outcome: 'applied' });
    const former = {
      applied: { price: '2.00', ...inShop },
      sourceVersion: '5',
      turn: 1,
      pastOperationIds: [],
      settled: [],
    };
    await gondola.query(
      `WITH former AS (
         INSERT INTO lanes (tenant, kind, identity) VALUES ('acme', 'price', 'f/policy=varejo') RETURNING id
       ) INSERT INTO value_lanes (lane_id, state, tenant, kind, external_reference)
         SELECT id, $1, 'acme', 'price', 'f' FROM former`,
      [JSON.stringify(former)],
    );
    // As an earlier version stored it.
    await gondola.query(
      `UPDATE value_lanes SET state = replace(state, ',"isMerged":true', '') WHERE external_reference = 'f'`,
    );
    await send(PRICES, price('f2', '1.00', 4));
    expect(await outcomeOf('f2')).toMatchObject({ outcome: 'invalid', reason: { code: 'STALE_VERSION' } });
    await send(PRICES, price('f3', '1.00', 5));
    expect(await outcomeOf('f3')).toMatchObject({ outcome: 'applied' });
    await send(PRICES, price('f4', '1.00', 5));
    expect(await outcomeOf('f4')).toMatchObject({ outcome: 'unchanged' });
  });
});
