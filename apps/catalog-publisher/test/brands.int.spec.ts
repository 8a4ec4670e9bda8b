import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import type { Hold } from './support/hold.ts';
import { fullSku } from './support/product-samples.ts';
import { failure, type FailureParts, brand, category, product } from './support/references.ts';

const operation = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

describe('a brand record, on real Kafka and PostgreSQL', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    const deadlines = { settleMs: 80, referencesMs: 3_600_000 };
    gondola = await CatalogInstallation.create('cp-brands', [
      { id: 'acme', deadlines },
      // Presumes nothing while the suite lasts: what the platform says after its answer is never too late.
      { id: 'patient', deadlines: { ...deadlines, settleMs: 600_000 } },
    ]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  const send = (topic: 'brands' | 'categories' | 'products', value: object, tenant = 'acme') =>
    gondola.produceTo(`erp.catalog.${topic}.v1`, { value, headers: { ce_tenant: tenant } });
  const outcomeOf = async (commandId: string, count = 1) => (await gondola.resultOf(commandId, count)).value;
  const fail = (parts: FailureParts) => gondola.notify(parts.tenant ?? 'acme', failure(parts));

  it('an accepted brand is presumed applied if no refusal comes within the settle time (rule 24)', async () => {
    const asked = Date.now();
    await send('brands', brand('b1', { recordId: 'b1' }));
    const { key, headers, value } = await gondola.resultOf('b1');
    expect(Date.now() - asked).toBeGreaterThanOrEqual(80);
    expect(key).toBe('acme:result:erp.catalog.brands.v1:b1:applied');
    expect(value).toMatchObject({
      command: 'upsert',
      entity: { kind: 'brand', externalReference: 'b1' },
      outcome: 'applied',
      evidence: 'presumed',
      attempts: 1,
      operationIds: [gondola.shop().referencesOf('b1')[0]?.operationId],
    });
    expect(value).not.toHaveProperty('skus');
    expect(headers).toMatchObject({ ce_subject: 'brand/b1', ce_partitionkey: 'acme/brand/b1', ce_commandid: 'b1' });
  });

  it('a record with blanks around its codes is about the same entity, and says so (contract, Values)', async () => {
    const [ofBrand, ofCategory] = [brand('bb'), category('cb')];
    const refers = { brandExternalReference: 'bb', categoryExternalReference: 'cb' };
    const ofProduct = product('pb', refers);
    await send('brands', { ...ofBrand, recordId: 'bb-1' });
    await send('categories', { ...ofCategory, recordId: 'cb-1' });
    for (const id of ['bb-1', 'cb-1']) expect(await outcomeOf(id)).toMatchObject({ outcome: 'applied', warnings: [] });
    await send('products', { ...ofProduct, recordId: 'pb-1' });
    expect(await outcomeOf('pb-1')).toMatchObject({ outcome: 'applied', warnings: [] });

    await send('brands', { ...ofBrand, externalReference: 'bb  ', recordId: 'bb-2' });
    await send('categories', { ...ofCategory, externalReference: '  cb', recordId: 'cb-2' });
    const skus = [fullSku({ externalReference: 'pb-1   ', ean: '7891000100103 ' })];
    const padded = { externalReference: 'pb ', recordId: ' pb-2', brandExternalReference: 'bb  ' };
    await send('products', { ...padded, skus });
    const saying = async (commandId: string, entity: object, field: string) =>
      expect(await outcomeOf(commandId)).toMatchObject({
        outcome: 'unchanged',
        entity,
        warnings: [{ code: 'BLANKS_REMOVED', field }],
      });
    await saying('bb-2', { kind: 'brand', externalReference: 'bb' }, 'externalReference');
    await saying('cb-2', { kind: 'category', externalReference: 'cb' }, 'externalReference');
    const fields = 'externalReference, recordId, brandExternalReference, skus[].externalReference, skus[].ean';
    await saying('pb-2', { kind: 'product', externalReference: 'pb' }, fields);
  });

  it('a brand is sent whole, the change laid over what is known; what changes nothing is unchanged (rules 21, 28)', async () => {
    await send('brands', brand('b2', { recordId: 'a-b2', sourceVersion: 5 }));
    await send('brands', { externalReference: 'b2', recordId: 'b-b2', punctuation: '20', similarTerms: null });
    expect(await outcomeOf('b-b2')).toMatchObject({ outcome: 'applied' });
    expect(gondola.shop().lastOf('b2')).toEqual(brand('b2', { punctuation: 20, similarTerms: null }));
    await send('brands', { externalReference: 'b2', recordId: 'c-b2', title: 'Marca b2' });
    expect(await outcomeOf('c-b2')).toMatchObject({ outcome: 'unchanged', attempts: 0 });
    await send('brands', { externalReference: 'b2', recordId: 'd-b2', sourceVersion: 4, title: 'Velha' });
    expect(await outcomeOf('d-b2')).toMatchObject({ outcome: 'invalid', reason: { code: 'STALE_VERSION' } });
    await send('brands', { externalReference: 'b2', recordId: 'e-b2', op: 'deactivate' });
    expect(await outcomeOf('e-b2')).toMatchObject({ outcome: 'invalid', reason: { code: 'COMMAND_UNKNOWN' } });
    const { [`title`]: _, ...lacking } = brand('b3', { recordId: 'b3' }) as Record<string, unknown>;
    await send('brands', lacking);
    expect(await outcomeOf('b3')).toMatchObject({
      outcome: 'invalid',
      errors: [{ field: 'title', code: 'FIELD_REQUIRED' }],
    });
  });

  it('a brand that the platform rejects is refused by property, also where the report came before the answer (rules 24, 25)', async () => {
    const shop = gondola.shop();
    shop.before = async ({ path, body }) => {
      if (!path.endsWith('Brands') || !body.includes('"b4"')) return undefined;
      await fail({ operationId: operation(4), kind: 'Brand', reference: 'b4' });
      return { status: 200, json: { operationId: operation(4) } };
    };
    await send('brands', brand('b4', { recordId: 'b4' }));
    expect(await outcomeOf('b4')).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      reason: { code: 'PLATFORM_REFUSED' },
      errors: [{ field: 'title', code: 'PLATFORM_REFUSED', hint: 'must be unique' }],
      platform: { statusCode: 422 },
    });
    shop.before = () => undefined;
  });

  it('a failure of the operation on the topic of orders that names no record refuses the only record in it (rule 6)', async () => {
    const shop = gondola.shop('patient');
    await send('brands', brand('b5', { recordId: 'b5' }), 'patient');
    await gondola.until(() => shop.referencesOf('b5').length === 1);
    const { operationId } = shop.referencesOf('b5')[0]!;
    await fail({ tenant: 'patient', operationId, kind: 'Brand', eventType: 'Operation_Failed' });
    expect(await outcomeOf('b5')).toMatchObject({ outcome: 'refused', evidence: 'event', attempts: 1 });
  });

  it('a failure that names no record and is being stored while its call is answered refuses the record at once (rule 25)', async () => {
    const shop = gondola.shop('patient');
    let held: Hold | undefined;
    shop.before = async ({ path, body }) => {
      if (!path.endsWith('Brands') || !body.includes('"b8"')) return undefined;
      // It is looked up whose operation it is, and then waits to be inserted; meanwhile anyone may read.
      held = await gondola.hold('LOCK TABLE operation_reports IN SHARE MODE');
      await fail({ tenant: 'patient', operationId: operation(8), kind: 'Brand', eventType: 'Operation_Failed' });
      await gondola.until(() => held!.isWaitedFor('INSERT INTO operation_reports'));
      return { status: 200, json: { operationId: operation(8) } };
    };
    await send('brands', brand('b8', { recordId: 'b8' }), 'patient');
    const asleep = `SELECT 1 FROM lanes JOIN operations ON lane_id = lanes.id
      WHERE operation_id = $1 AND lease_until IS NULL AND due_at > now()`;
    await gondola.until(async () => (await gondola.query(asleep, [operation(8)])).length === 1);
    await held!.release();
    expect(await outcomeOf('b8')).toMatchObject({ outcome: 'refused', evidence: 'event', attempts: 1 });
    shop.before = () => undefined;
  });

  it('after a failure of a batch that names no record, its records are sent in smaller batches until the failing one is alone (rule 25)', async () => {
    const shop = gondola.shop();
    // One call is held back, so that the two that come meanwhile go together.
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let isHeld = false;
    let refusals = 0;
    shop.before = async ({ path, body }) => {
      if (!path.endsWith('Brands')) return undefined;
      if (body.includes('"first"')) {
        isHeld = true;
        await held;
      }
      if (!body.includes('"bad"')) return undefined;
      refusals += 1;
      const operationId = operation(500 + refusals);
      // Reported before the answer: it is known before anything can be presumed.
      await fail({ operationId, kind: 'Brand', eventType: 'Operation_Failed' });
      return { status: 200, json: { operationId } };
    };
    await send('brands', brand('first', { recordId: 'first' }));
    await gondola.until(() => isHeld);
    await gondola.produceTo(
      'erp.catalog.brands.v1',
      ...['good', 'bad'].map((each) => ({
        key: 'same',
        value: brand(each, { recordId: each }),
        headers: { ce_tenant: 'acme' },
      })),
    );
    await gondola.until(() => refusals > 0);
    release();
    expect(await outcomeOf('bad')).toMatchObject({ outcome: 'refused' });
    expect(await outcomeOf('good')).toMatchObject({ outcome: 'applied' });
    shop.before = () => undefined;
  });

  it('a failure after presumed brings one correction, and the brand is as it was before (rule 24)', async () => {
    await send('brands', brand('b6', { recordId: 'a-b6' }));
    await send('brands', { externalReference: 'b6', recordId: 'b-b6', title: 'Outra' });
    const applied = await outcomeOf('b-b6');
    const operationId = gondola.shop().referencesOf('b6').at(-1)!.operationId;
    await fail({ operationId, kind: 'Brand', reference: 'b6' });
    expect(await outcomeOf('b-b6', 2)).toMatchObject({
      id: 'acme:result:erp.catalog.brands.v1:b-b6:corrected',
      outcome: 'corrected',
      correctedOutcome: 'refused',
      corrects: applied['id'],
      evidence: 'event',
    });
    await fail({ operationId, kind: 'Brand', reference: 'b6', eventType: 'Brand_UpdateFailed' });
    await send('brands', { externalReference: 'b6', recordId: 'c-b6', title: 'Marca b6' });
    expect(await outcomeOf('c-b6')).toMatchObject({ outcome: 'unchanged' });
    expect(gondola.results('b-b6')).toHaveLength(2);
  });

  it('a lost answer is sent again, and ends unconfirmed only if no answer comes at all (rule 16)', async () => {
    const shop = gondola.shop();
    let posts = 0;
    shop.before = ({ path, body }) => {
      if (!path.endsWith('Brands') || !body.includes('"b7"')) return undefined;
      posts += 1;
      return posts === 1 ? 'drop' : undefined;
    };
    await send('brands', brand('b7', { recordId: 'b7' }));
    expect(await outcomeOf('b7')).toMatchObject({ outcome: 'applied', evidence: 'presumed', attempts: 2 });
    shop.before = () => undefined;
  });

  it('a removal is applied if the platform refuses it because the brand no longer exists (rule 16)', async () => {
    const shop = gondola.shop('patient');
    await send('brands', { externalReference: 'gone', op: 'delete', recordId: 'gone' }, 'patient');
    await gondola.until(() => shop.referencesOf('gone').length === 1);
    await gondola.notify('patient', {
      operationId: shop.referencesOf('gone')[0]!.operationId,
      relatedEntity: 'Brand',
      eventType: 'Operation_Failed',
      data: { externalReference: 'gone' },
      error: { statusCode: 404, message: '' },
    });
    expect(await outcomeOf('gone')).toMatchObject({ outcome: 'applied', evidence: 'already-in-state' });
  });
});
