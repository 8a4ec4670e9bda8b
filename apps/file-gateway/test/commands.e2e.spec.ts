import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pdf, png } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const order = (number: number) => ({ number, id: `0b000000-0000-4000-8000-${String(number).padStart(12, '0')}` });

describe('a file command', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await FileApp.start('file-commands');
  });

  afterEach(() => app.platform.reset());

  afterAll(() => app.stop());

  it('is carried out once however often it comes, and distinguished from another of its id (rule 19)', async () => {
    const [one, two] = [order(1), order(2)];
    const uploadId = await app.upload(pdf());
    await app.attach(one, uploadId, 'c-1');
    await app.attach(one, uploadId, 'c-1');
    expect((await app.resultOf('c-1/pdf')).value).toMatchObject({ outcome: 'applied' });
    await app.attach(two, uploadId, 'c-1');
    const conflict = await app.resultOf('c-1/pdf', 2);
    expect(conflict.key).toMatch(/^acme:result:erp\.files\.commands\.v1:c-1\/pdf:invalid:[0-9a-f]{16}$/);
    expect(conflict.headers).toMatchObject({ ce_subject: 'order/2' });
    expect(conflict.value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'DUPLICATE_COMMAND', field: 'commandId' },
      conflictsWith: 'acme:result:erp.files.commands.v1:c-1/pdf:applied',
      parentCommandId: 'c-1',
    });
    expect(app.platform.requestsOf(one.id, 'POST')).toHaveLength(1);
    expect(app.platform.requestsOf(two.id, 'POST')).toEqual([]);
  });

  it('ends in a dead letter where not even its identity can be read', async () => {
    await app.badCommand('no json');
    await app.badCommand({ command: 'ReadInvoice', orderNumber: 1 });
    await app.command({ commandId: 'x', command: 'ReadInvoice', orderNumber: 1 }, { ce_tenant: 'somebody' });
    const letters = await app.deadLetter(3);
    expect(new Set(letters.map(({ headers }) => headers['ce_reasoncode']))).toEqual(
      new Set(['NOT_JSON', 'IDENTITY_MISSING', 'TENANT_UNKNOWN']),
    );
    expect(app.results('x')).toEqual([]);
    expect(letters.find(({ headers }) => headers['ce_reasoncode'] === 'NOT_JSON')?.headers).toMatchObject({
      ce_tenant: 'acme',
      traceparent: expect.stringMatching(TRACEPARENT),
    });
  });

  it('has one trace from its record to its result, its own or one begun for it', async () => {
    const own = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await app.badCommand({ commandId: 'c-traced' }, { ce_tenant: 'acme', traceparent: own });
    await app.badCommand({ commandId: 'c-bare' });
    await app.badCommand({ commandId: 'c-nul' }, { ce_tenant: 'acme', traceparent: `${own}\0`, 'x-erp': 'a\0b' });
    const [traced, bare, nul] = await Promise.all(['c-traced', 'c-bare', 'c-nul'].map((id) => app.resultOf(id)));
    expect(traced?.headers['traceparent']).toBe(own);
    expect(bare?.headers['traceparent']).toMatch(TRACEPARENT);
    expect(nul?.headers['traceparent']).toMatch(TRACEPARENT);
    expect(bare?.headers).toMatchObject({ ce_partitionkey: 'acme/command/c-bare' });
    expect(bare?.headers).not.toHaveProperty('ce_subject');
  });

  it('ends in a result where its identity can be read, whatever else is wrong', async () => {
    await app.badCommand({ commandId: 'c-none' });
    await app.badCommand({ commandId: 'c-odd', command: 'PublishImages', skuExternalReference: '4711-1' });
    const content = { url: 'http://169.254.169.254/latest/meta-data' };
    const images = [{ order: 1, content }];
    await app.command({ commandId: 'c-url', command: 'PublishSkuImages', skuExternalReference: '4711-1', images });
    const results = await Promise.all(
      ['c-none', 'c-odd', 'c-url'].map(async (commandId) => {
        const { value } = await app.resultOf(commandId);
        const reason = value['reason'] as { code: string; hint?: string };
        expect(value).toMatchObject({ outcome: 'invalid', final: true, attempts: 0 });
        return [reason.code, value['entity']];
      }),
    );
    const sku = { kind: 'sku', externalReference: '4711-1' };
    expect(results).toEqual([
      ['FIELD_REQUIRED', null],
      ['COMMAND_UNKNOWN', sku],
      ['CONTENT_NOT_ALLOWED', sku],
    ]);
    expect(app.platform.requests.filter(({ path }) => path.includes('4711-1'))).toEqual([]);
  });

  it('waits for the one before it in its lane, and for no other: one change at most is open per lane', async () => {
    const [held, free] = [order(11), order(12)];
    const answer = Promise.withResolvers<void>();
    app.platform.on.uploadInvoice = async (request) => {
      if (request.about === held.id) await answer.promise;
      app.platform.storeInvoice(request);
      return { status: 200 };
    };
    const first = await app.attach(held, await app.upload(pdf()));
    await app.until('the first upload', () => app.platform.requestsOf(held.id, 'POST').length === 1);
    const second = await app.attach(held, await app.upload(pdf()));
    const other = await app.attach(free, await app.upload(pdf()));
    expect((await app.resultOf(other)).value).toMatchObject({ outcome: 'applied' });
    const shown = async () => (await app.get('/api/orders/11/invoice?tenant=acme')).body as { openCommands: unknown[] };
    // The second command may be on another partition than the one that has advanced.
    await app.until('the second to be stored', async () => (await shown()).openCommands.length === 2);
    expect(await shown()).toMatchObject({
      kind: 'order-invoice',
      identity: '11',
      leaseUntil: expect.any(String),
      openCommands: [
        { commandId: first, attempts: 1 },
        { commandId: second, attempts: 0 },
      ],
    });
    answer.resolve();
    expect((await app.resultOf(first)).value).toMatchObject({ outcome: 'applied' });
    // Other content replaces the first.
    expect((await app.resultOf(second)).value).toMatchObject({ outcome: 'applied' });
    expect(app.platform.requestsOf(held.id, 'POST')).toHaveLength(2);
  });

  it("goes on with its own tenant's platform and uploads alone (guarantee 5)", async () => {
    const uploadId = await app.upload(png());
    const commandId = randomUUID();
    const images = [{ order: 1, content: { uploadId } }];
    const command = { commandId, command: 'PublishSkuImages', skuExternalReference: 's', images };
    await app.command(command, { ce_tenant: 'beta' });
    expect((await app.resultOf(commandId)).value).toMatchObject({
      tenant: 'beta',
      outcome: 'invalid',
      reason: { code: 'UPLOAD_UNKNOWN' },
    });
  });

  it('is shown to operators only where it is known', async () => {
    expect(await app.get('/api/orders/99/invoice?tenant=acme')).toMatchObject({ status: 404 });
    expect(await app.get('/api/orders/x/invoice?tenant=acme')).toMatchObject({ status: 404 });
    expect(await app.get('/api/skus/99/images')).toMatchObject({ status: 400 });
  });
});

describe('a refusal that comes after its answer', () => {
  let app: FileApp;

  beforeAll(async () => {
    // With this interval, no reading happens on its own during the suite.
    app = await FileApp.start('late-refusals', { env: { READ_BACK_MS: '60000' } });
  });

  afterAll(() => app.stop());

  const error = { statusCode: 422, message: 'Arquivo recusado', validationErrors: [] };

  it('wakes the command whose operation it names (rules 5, 6)', async () => {
    await app.knowSku('s');
    const operationId = randomUUID();
    app.platform.on.uploadImages = () => ({ status: 200, json: { operationId } });
    const commandId = await app.publish('s', [await app.upload(png())]);
    await app.until('the answer to be stored', async () => {
      const { rows } = await app.database.query('SELECT 1 FROM file_operations WHERE operation_id = $1', [operationId]);
      return rows.length > 0;
    });
    await app.notify({ eventType: 'Operation_Failed', operationId, data: { anything: 1 }, error });
    expect((await app.resultOf(commandId)).value).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      operationIds: [operationId],
      platform: error,
    });
  });

  it('wakes the command whose order it names (rules 5, 6)', async () => {
    const { number, id } = order(21);
    app.platform.on.uploadInvoice = () => ({ status: 200 });
    const commandId = await app.attach({ number, id }, await app.upload(pdf()));
    await app.until('the answer to be stored', async () => {
      const text = `SELECT 1 FROM commands WHERE command_id = $1 AND progress->'attempts'->0->'answer'->>'kind' = 'accepted'`;
      const { rows } = await app.database.query(text, [commandId]);
      return rows.length > 0;
    });
    await app.notify({ eventType: 'Operation_Failed', data: { id, number, status: 400 }, error });
    expect((await app.resultOf(commandId)).value).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      platform: error,
    });
  });
});
