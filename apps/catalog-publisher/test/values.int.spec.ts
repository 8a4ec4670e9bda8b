import type { PlatformRequest } from '@gondola/local-stack/testing/scripted-platform';
import type { Reply } from '@gondola/local-stack/testing/test-server';
import type { NotificationParts } from '@gondola/shared/testing/notification';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku, POLICY } from './support/product-samples.ts';
import type { Hold } from './support/hold.ts';
import { guidOf, readModelOf } from './support/read-models.ts';

const PRICES = 'erp.catalog.prices.v1';
const STOCK = 'erp.catalog.stock.v1';
const WAREHOUSES = 'erp.catalog.warehouses.v1';
const SETTLE_MS = 300;
/** Each test has SKUs of its own. */
const SKUS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'];

const price = (externalReference: string, amount: string, more: object = {}) => ({
  externalReference,
  policy: POLICY,
  data: { price: amount },
  ...more,
});

const stock = (sku: string, quantity: number) => ({
  externalReference: sku,
  warehouse: 'cd-01',
  data: { quantity },
  recordId: `s-${sku}`,
});

const isPricing = ({ path }: PlatformRequest) => path.endsWith('/Pricing');

/** Notification of the platform about a rejected price. */
const rejected = (operationId: string, sku: string): NotificationParts => ({
  operationId,
  relatedEntity: 'SKUPricing',
  eventType: 'SKUPricing_UpdateFailed',
  data: { skuId: guidOf(sku), commercialPolicyId: POLICY },
  error: { statusCode: 422, message: '{}', validationErrors: [{ id: 1, key: 'price', validation: 'too low' }] },
});

describe('prices, warehouses and stock, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    const tenants = [
      { id: 'acme', deadlines: { settleMs: SETTLE_MS } },
      { id: 'slow', deadlines: { settleMs: 600_000 } },
      { id: 'hasty', deadlines: { settleMs: SETTLE_MS, commandMs: 1_000, referencesMs: 200 } },
    ];
    gondola = await CatalogInstallation.create('cp-values', tenants);
    await gondola.startApp();
    await gondola.readTopics();
    for (const { id } of tenants) {
      gondola.shop(id).readModels.set(
        '1',
        readModelOf(
          '1',
          SKUS.map((each) => fullSku({ externalReference: each })),
        ),
      );
      const skus = SKUS.map((each) => fullSku({ externalReference: each, reference: each }));
      await gondola.produce({
        value: { ...fullProduct({ externalReference: '1' }), skus },
        headers: { ce_tenant: id },
      });
    }
    await gondola.until(async () => {
      const rows = await gondola.query('SELECT 1 FROM skus WHERE snapshot IS NOT NULL');
      return rows.length === SKUS.length * tenants.length;
    });
  });

  beforeEach(() => {
    for (const id of ['acme', 'slow', 'hasty']) gondola.shop(id).before = () => undefined;
  });

  afterAll(() => gondola.close());

  const send = (topic: typeof PRICES | typeof STOCK | typeof WAREHOUSES, value: object, tenant = 'acme') =>
    gondola.produceTo(topic, { value, headers: { ce_tenant: tenant } });
  const outcomeOf = async (commandId: string, count = 1) => (await gondola.resultOf(commandId, count)).value;
  /** Bodies about a SKU that a route of the shop received, in order. */
  const posted = (route: string, sku: string, tenant = 'acme'): Record<string, unknown>[] =>
    gondola
      .shop(tenant)
      .references.filter((call) => call.route === route)
      .flatMap(({ items }) => items as Record<string, unknown>[])
      .filter(({ skuId }) => skuId === guidOf(sku));
  const operationOf = (sku: string, tenant = 'acme') =>
    gondola
      .shop(tenant)
      .references.findLast(({ items }) => (items as { skuId?: string }[]).some(({ skuId }) => skuId === guidOf(sku)))!
      .operationId;

  it('a price, stock or warehouse with blanks around its codes is the same value, and says so (contract, Values)', async () => {
    const records = [
      [PRICES, price('m', '1.00'), { externalReference: 'm  ', policy: ` ${POLICY}` }],
      [STOCK, { ...stock('m', 5), recordId: undefined }, { externalReference: '\tm', warehouse: 'cd-01    ' }],
      [WAREHOUSES, { externalReference: 'cd-m', data: { id: 7 } }, { externalReference: 'cd-m ' }],
    ] as const;
    for (const [at, [topic, record, padded]] of records.entries()) {
      await send(topic, { ...record, recordId: `m-${at}` });
      expect(await outcomeOf(`m-${at}`)).toMatchObject({ outcome: 'applied', warnings: [] });
      await send(topic, { ...record, ...padded, recordId: `m-${at}-again` });
      expect(await outcomeOf(`m-${at}-again`)).toMatchObject({
        outcome: 'unchanged',
        warnings: [{ code: 'BLANKS_REMOVED', field: Object.keys(padded).join(', ') }],
      });
    }
  });

  it('a price is posted unchanged, with the ids of its SKU and policy, and is applied after the settle time (rule 30)', async () => {
    await send(PRICES, price('a', '39.90', { recordId: 'p-a', data: { price: 39.9, list: [1], x: null } }));
    expect(await outcomeOf('p-a')).toMatchObject({
      command: 'upsert',
      entity: { kind: 'price', externalReference: 'a', policy: POLICY },
      outcome: 'applied',
      evidence: 'presumed',
      attempts: 1,
    });
    const data = { price: 39.9, list: [1], x: null, skuId: guidOf('a'), commercialPolicyId: POLICY };
    expect(posted('Pricing', 'a')).toEqual([data]);
    await send(PRICES, price('a', '39.90', { recordId: 'p-a2', data: { price: 39.9, list: [1], x: null } }));
    expect(await outcomeOf('p-a2')).toMatchObject({ outcome: 'unchanged' });
    const metrics = async () => (await fetch(`${gondola.installation.running.url}/metrics`)).text();
    await gondola.until(async () =>
      /gondola_catalog_value_age_seconds_count\{kind="price"\} \d+/.test(await metrics()),
    );
  });

  it('of several waiting values only the newest is sent, and each of the others is superseded, once (rule 30)', async () => {
    gondola.shop().before = (request) =>
      isPricing(request) ? { status: 429, headers: { 'retry-after': '1' } } : undefined;
    for (const n of [1, 2, 3, 4, 5]) await send(PRICES, price('b', `${n}.00`, { recordId: `p-b${n}` }));
    await outcomeOf('p-b4');
    gondola.shop().before = () => undefined;
    expect(await outcomeOf('p-b5')).toMatchObject({ outcome: 'applied', attempts: 1 });
    for (const n of [2, 3, 4]) expect(await outcomeOf(`p-b${n}`)).toMatchObject({ outcome: 'superseded' });
    expect(posted('Pricing', 'b').at(-1)).toMatchObject({ price: '5.00' });
    for (const n of [1, 2, 3, 4, 5]) expect(gondola.results(`p-b${n}`)).toHaveLength(1);
  });

  it('a price is sent while all other work waits for a connection to the database', async () => {
    const release = await gondola.takeConnections();
    await send(PRICES, price('k', '1.00', { recordId: 'p-k' }));
    await gondola.until(() => posted('Pricing', 'k').length > 0);
    release();
    expect(await outcomeOf('p-k')).toMatchObject({ outcome: 'applied' });
  });

  it('the next price is sent as soon as the call of the last is answered, long before its settle time ends (rule 30)', async () => {
    await send(PRICES, price('a', '1.00', { recordId: 'p-slow1' }), 'slow');
    await gondola.until(() => posted('Pricing', 'a', 'slow').length === 1);
    await send(PRICES, price('a', '2.00', { recordId: 'p-slow2' }), 'slow');
    await gondola.until(() => posted('Pricing', 'a', 'slow').length === 2);
    expect(gondola.results('p-slow1')).toEqual([]);
  });

  it('a failure that comes before the answer finds its price (rules 25, 30)', async () => {
    let answer: ((value: Reply) => void) | undefined;
    gondola.shop().before = (request) =>
      isPricing(request) && answer === undefined ? hold((done) => (answer = done)) : undefined;
    await send(PRICES, price('c', '1.00', { recordId: 'p-c' }));
    await gondola.until(() => answer !== undefined);
    const operationId = guidOf('op-c');
    await gondola.notify('acme', rejected(operationId, 'c'));
    answer?.({ status: 200, json: { operationId } });
    expect(await outcomeOf('p-c')).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      operationIds: [operationId],
      errors: [{ field: 'data.price', hint: 'too low' }],
    });
  });

  it('a failure that is stored while its price is being loaded counts before any silence (rules 5, 25)', async () => {
    const operationId = guidOf('op-l');
    let held: Hold | undefined;
    gondola.shop().before = async (request) => {
      if (!isPricing(request)) return undefined;
      // A price's SKU is loaded after the reports about it.
      held = await gondola.hold('LOCK TABLE skus IN ACCESS EXCLUSIVE MODE');
      return { status: 200, json: { operationId } };
    };
    await send(PRICES, price('l', '1.00', { recordId: 'p-l' }));
    await gondola.until(() => held?.isWaitedFor() ?? false);
    await gondola.notify('acme', rejected(operationId, 'l'));
    const settledAt = Date.now() + SETTLE_MS;
    const consumed = gondola.installation.running.app.get(ConsumedRecords, { strict: false });
    await gondola.until(() => consumed.hasConsumedUpTo(settledAt));
    await held!.release();
    expect(await outcomeOf('p-l')).toMatchObject({ outcome: 'refused', evidence: 'event' });
  });

  it('a failure after the settle time publishes a corrected result, and the same value is sent again (guarantee 3)', async () => {
    await send(PRICES, price('d', '4.00', { recordId: 'p-d' }));
    expect(await outcomeOf('p-d')).toMatchObject({ outcome: 'applied', evidence: 'presumed' });
    await gondola.notify('acme', rejected(operationOf('d'), 'd'));
    expect(await outcomeOf('p-d', 2)).toMatchObject({ outcome: 'corrected', correctedOutcome: 'refused' });
    await send(PRICES, price('d', '4.00', { recordId: 'p-d2' }));
    expect(await outcomeOf('p-d2')).toMatchObject({ outcome: 'applied' });
    expect(posted('Pricing', 'd')).toHaveLength(2);
  });

  it('a price with a lost answer is sent again, or a newer one in its place (rule 16)', async () => {
    let losses = 0;
    gondola.shop().before = (request) => (isPricing(request) && losses++ === 0 ? 'drop' : undefined);
    await send(PRICES, price('e', '1.00', { recordId: 'p-e' }));
    expect(await outcomeOf('p-e')).toMatchObject({ outcome: 'applied', attempts: 2 });
    await gondola.landLostCalls();
    losses = 0;
    gondola.shop().before = (request) => {
      if (!isPricing(request) || !request.body.includes('"2.00"')) return undefined;
      losses += 1;
      return 'drop';
    };
    await send(PRICES, price('e', '2.00', { recordId: 'p-e2' }));
    await gondola.until(() => losses > 0);
    await send(PRICES, price('e', '3.00', { recordId: 'p-e3' }));
    expect(await outcomeOf('p-e2')).toMatchObject({ outcome: 'superseded' });
    await gondola.landLostCalls();
    expect(await outcomeOf('p-e3')).toMatchObject({ outcome: 'applied' });
  });

  it('a platform that never answers ends it unconfirmed, and one that refuses it ends it refused (rules 5, 17)', async () => {
    gondola.shop('hasty').before = (request) => (isPricing(request) ? { status: 500 } : undefined);
    await send(PRICES, price('a', '1.00', { recordId: 'p-silent' }), 'hasty');
    expect(await outcomeOf('p-silent')).toMatchObject({ outcome: 'unconfirmed', reason: { code: 'PLATFORM_SILENT' } });
    gondola.shop('hasty').before = (request) => (isPricing(request) ? { status: 400, json: 'no' } : undefined);
    await send(PRICES, price('b', '1.00', { recordId: 'p-no' }), 'hasty');
    expect(await outcomeOf('p-no')).toMatchObject({ outcome: 'refused', reason: { code: 'PLATFORM_REFUSED' } });
  });

  it('stock, which no notification names, is sent in a call of its own, so that any failure of the call concerns it (rule 30)', async () => {
    for (const sku of ['f', 'g', 'h']) await send(STOCK, stock(sku, 5));
    await gondola.until(() => ['f', 'g', 'h'].every((sku) => posted('sku', sku).length === 1));
    const calls = gondola.shop().references.filter(({ route }) => route === 'sku');
    expect(calls.every(({ items }) => items.length === 1)).toBe(true);
    await gondola.notify('acme', {
      ...rejected(operationOf('g'), 'g'),
      relatedEntity: 'WarehouseSKU',
      eventType: 'WarehouseSKU_UpdateFailed',
    });
    // It may have settled before the notification came.
    await gondola.until(() =>
      ['refused', 'corrected'].includes(String(gondola.results('s-g').at(-1)?.value['outcome'])),
    );
    expect(await outcomeOf('s-f')).toMatchObject({
      outcome: 'applied',
      entity: { kind: 'stock', externalReference: 'f', warehouse: 'cd-01' },
    });
  });

  it('a warehouse needs no SKU, and each place of a SKU is a lane of its own (contract, Catalog records)', async () => {
    await send(WAREHOUSES, { externalReference: 'cd-01', recordId: 'w-1', data: { id: 'cd-01', name: 'Centro' } });
    expect(await outcomeOf('w-1')).toMatchObject({
      outcome: 'applied',
      entity: { kind: 'warehouse', externalReference: 'cd-01' },
    });
    await send(PRICES, price('i', '1.00', { recordId: 'p-i1', sourceVersion: 9 }));
    await send(PRICES, price('i', '2.00', { recordId: 'p-i2', sourceVersion: 3, policy: 'other' }));
    expect(await outcomeOf('p-i1')).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('p-i2')).toMatchObject({ outcome: 'applied', entity: { policy: 'other' } });
    await send(PRICES, price('i', '3.00', { recordId: 'p-i3', sourceVersion: 8 }));
    expect(await outcomeOf('p-i3')).toMatchObject({ outcome: 'invalid', reason: { code: 'STALE_VERSION' } });
  });

  const publishedElsewhere = async (sku: string): Promise<void> => {
    const snapshot = { skuExternalReference: sku, skuId: guidOf(sku), productId: guidOf('1') };
    await gondola.query(
      `INSERT INTO skus (tenant, external_reference, lane_id, product_reference, version, snapshot)
       VALUES ('acme', $1, 0, '1', 1, $2)`,
      [sku, JSON.stringify(snapshot)],
    );
  };

  it('a price waits for its unknown SKU, and is sent once that is published (contract, Catalog records)', async () => {
    await send(PRICES, price('late', '1.00', { recordId: 'p-late' }));
    expect(await outcomeOf('p-late')).toMatchObject({
      outcome: 'waiting',
      for: [{ kind: 'sku', externalReference: 'late' }],
    });
    const sku = fullSku({ externalReference: 'late', reference: 'late' });
    gondola.shop().readModels.set('2', readModelOf('2', [sku]));
    await gondola.produce({
      value: { ...fullProduct({ externalReference: '2', slug: 'other' }), skus: [sku] },
      headers: { ce_tenant: 'acme' },
    });
    expect(await outcomeOf('p-late', 2)).toMatchObject({ outcome: 'applied' });
    await send(PRICES, price('never', '1.00', { recordId: 'p-never' }), 'hasty');
    expect(await outcomeOf('p-never', 2)).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_MISSING' } });
  });

  it('a price whose SKU is published between its look and its wait is sent, without a sweep', async () => {
    const held = await gondola.hold('LOCK TABLE reference_waits IN EXCLUSIVE MODE');
    await send(PRICES, price('between', '1.00', { recordId: 'p-between' }));
    await gondola.until(() => held.isWaitedFor('reference_waits'));
    // Its publisher has found nobody to wake.
    await publishedElsewhere('between');
    await held.release();
    expect(await outcomeOf('p-between', 2)).toMatchObject({ outcome: 'applied' });
    expect(await outcomeOf('p-between')).toMatchObject({ outcome: 'waiting' });
  });

  it('a price whose SKU was published by a process that ended before it woke the price is woken by a sweep', async () => {
    await send(PRICES, price('swept', '1.00', { recordId: 'p-swept' }));
    expect(await outcomeOf('p-swept')).toMatchObject({ outcome: 'waiting' });
    await publishedElsewhere('swept');
    // A sweep comes with each start.
    await gondola.startApp();
    expect(await outcomeOf('p-swept', 2)).toMatchObject({ outcome: 'applied' });
  });

  it('with content that is wrong is invalid, in the ERP’s names, and nothing is sent (rule 20)', async () => {
    const misspelt = { ...price('j', '1.00', { recordId: 'p-j' }), polcy: 'x' };
    await gondola.produceTo(PRICES, { value: misspelt, headers: { ce_tenant: 'acme' }, isBad: true });
    expect(await outcomeOf('p-j')).toMatchObject({
      outcome: 'invalid',
      errors: [{ field: 'polcy', code: 'FIELD_UNKNOWN' }],
    });
    const deletion = price('j', '1.00', { recordId: 'p-j2', op: 'delete' });
    await gondola.produceTo(PRICES, { value: deletion, headers: { ce_tenant: 'acme' }, isBad: true });
    expect(await outcomeOf('p-j2')).toMatchObject({ outcome: 'invalid', reason: { code: 'COMMAND_UNKNOWN' } });
    await gondola.produceTo(PRICES, { key: 'j', value: null, headers: { ce_tenant: 'acme' }, isBad: true });
    await gondola.until(() =>
      gondola
        .results()
        .some(
          ({ value }) =>
            value['command'] === 'delete' &&
            value['reason'] !== null &&
            (value['entity'] as { externalReference?: string }).externalReference === 'j',
        ),
    );
    expect(posted('Pricing', 'j')).toEqual([]);
  });
});

/** A reply that the test gives later. */
function hold(keep: (done: (reply: Reply) => void) => void): Promise<Reply> {
  return new Promise(keep);
}
