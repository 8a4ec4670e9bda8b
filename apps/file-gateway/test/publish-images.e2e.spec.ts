import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pdf, png, pngOf } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';
import { HASTY, OTHER_TOKEN } from './support/tenants.ts';
import type { Script } from './support/scripted-platform.ts';

const LIMIT = 6_000;
const UNKNOWN = '2f6d5b0e-9a53-4c6b-8f0e-6d0a4b1c2d3e';
const ERROR = { statusCode: 422, message: 'Imagem recusada', validationErrors: [] };

describe('PublishSkuImages', () => {
  let app: FileApp;

  beforeAll(async () => {
    const env = { IMAGE_REQUEST_MAX_BYTES: String(LIMIT), REFERENCE_CHECK_MS: '600000' };
    app = await FileApp.start('publish-images', { env, deadlines: { commandMs: 2_000, referencesMs: 3_000 } });
  });

  afterEach(() => app.platform.reset());

  afterAll(() => app.stop());

  const uploads = (count: number, bytes = 1_000) =>
    Promise.all(Array.from({ length: count }, () => app.upload(png(bytes))));
  const known = (sku: string) => app.knowSku(sku);

  it('is one ordered request, proven by the file list, published as the contract shows it (rule 32)', async () => {
    await known('4711/1');
    const contents = [png(), png(), png()];
    const [first, second, third] = await Promise.all(contents.map((content) => app.upload(content)));
    const commandId = randomUUID();
    const images = [
      { order: 3, content: { uploadId: third } },
      { order: '1', content: { uploadId: first } },
      { order: 2, content: { uploadId: second } },
    ];
    await app.command({ commandId, command: 'PublishSkuImages', skuExternalReference: '4711/1', images });
    const { key, headers, value } = await app.resultOf(commandId);
    expect(key).toBe(`acme:result:erp.files.commands.v1:${commandId}:applied`);
    expect(headers).toMatchObject({
      ce_type: 'gondola.result.v1',
      ce_source: '/gondola/file-gateway',
      ce_subject: 'sku/4711/1',
      ce_partitionkey: 'acme/sku/4711/1',
      ce_commandid: commandId,
    });
    expect(value).toEqual({
      id: key,
      type: 'gondola.result.v1',
      tenant: 'acme',
      time: expect.any(String),
      commandId,
      parentCommandId: null,
      command: 'PublishSkuImages',
      entity: { kind: 'sku', externalReference: '4711/1' },
      outcome: 'applied',
      final: true,
      revision: null,
      reason: null,
      errors: [],
      warnings: [],
      data: { orders: [1, 2, 3], otherOrders: [], otherUrls: [] },
      evidence: 'read-back',
      operationIds: [expect.any(String)],
      attempts: 1,
      receivedAt: expect.any(String),
      finishedAt: expect.any(String),
      platform: null,
    });
    const again = {
      commandId: `${commandId}-2 `,
      command: 'PublishSkuImages',
      skuExternalReference: '4711/1    ',
      images,
    };
    await app.command(again);
    expect((await app.resultOf(`${commandId}-2`)).value).toMatchObject({
      entity: { kind: 'sku', externalReference: '4711/1' },
      outcome: 'unchanged',
      warnings: [{ code: 'BLANKS_REMOVED', field: 'commandId, skuExternalReference' }],
    });
    const [request, ...others] = app.platform.requestsOf('4711/1', 'POST');
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      orders: ['1', '2', '3'],
      contractAccountId: '11111111-1111-4111-8111-111111111111',
    });
    expect(request!.files.map(({ bytes }) => bytes)).toEqual(contents);
    expect(new Set(request!.files.map(({ type }) => type))).toEqual(new Set(['image/png']));
  });

  it('is split under the limit without losing the order, one request after the other (rule 32)', async () => {
    await known('split');
    const end = await app.resultOf(await app.publish('split', await uploads(5, 2_000)));
    expect(end.value).toMatchObject({ outcome: 'applied', attempts: 3 });
    const requests = app.platform.requestsOf('split', 'POST');
    expect(requests.map(({ orders }) => orders)).toEqual([['1', '2'], ['3', '4'], ['5']]);
    for (const { size } of requests) expect(size).toBeLessThanOrEqual(LIMIT);
  });

  it('is unchanged with the content last applied, else sends the images of one upload again together (rule 32)', async () => {
    await known('again');
    const [one, two, three] = await uploads(3);
    expect((await app.resultOf(await app.publish('again', [one!, two!]))).value).toMatchObject({ outcome: 'applied' });
    const repeat = await app.resultOf(await app.publish('again', [one!, two!]));
    expect(repeat.value).toMatchObject({ outcome: 'unchanged', evidence: 'already-in-state', attempts: 0 });
    // Nothing shows which address has which image, so an upload stays or goes as a whole.
    const changed = await app.resultOf(await app.publish('again', [one!, three!]));
    expect(changed.value).toMatchObject({ outcome: 'applied', attempts: 2, warnings: [] });
    const more = await app.resultOf(await app.publish('again', [one!, three!, two!]));
    expect(more.value).toMatchObject({ outcome: 'applied', attempts: 1, warnings: [] });
    const orders = app.platform.requestsOf('again', 'POST').map((request) => request.orders);
    expect(orders).toEqual([['1', '2'], ['1', '2'], ['3']]);
    expect(app.platform.images.get('again')).toHaveLength(3);
    // The images were removed by other means, so none counts as applied.
    app.platform.images.set('again', []);
    const restored = await app.resultOf(await app.publish('again', [one!, three!]));
    expect(restored.value).toMatchObject({ outcome: 'applied', attempts: 1 });
  });

  it('replaces the other images once its own are there, and is unchanged the second time (rule 32)', async () => {
    await known('replaced');
    app.platform.images.set('replaced', ['old-1', 'old-2']);
    const ids = await uploads(2);
    const end = await app.resultOf(await app.publish('replaced', ids, undefined, true));
    expect(end.value).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 2 });
    const changes = app.platform.requests.filter(({ about, method }) => about === 'replaced' && method !== 'GET');
    expect(changes.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(JSON.parse(changes[1]!.text)).toEqual({ fileType: 1, urls: ['old-1', 'old-2'] });
    expect(app.platform.images.get('replaced')).toHaveLength(2);
    const again = await app.resultOf(await app.publish('replaced', ids, undefined, true));
    expect(again.value).toMatchObject({ outcome: 'unchanged', attempts: 0 });
    // A foreign image beside the applied ones is removed, and nothing is sent again.
    app.platform.images.get('replaced')!.push('stranger');
    const tidied = await app.resultOf(await app.publish('replaced', ids, undefined, true));
    expect(tidied.value).toMatchObject({ outcome: 'applied', attempts: 1 });
    expect(app.platform.images.get('replaced')).toHaveLength(2);
    // Fewer images: nothing shows which address holds which image, so all are sent again.
    const fewer = await app.resultOf(await app.publish('replaced', ids.slice(0, 1), undefined, true));
    expect(fewer.value).toMatchObject({ outcome: 'applied', attempts: 2 });
    expect(app.platform.images.get('replaced')).toHaveLength(1);
  });

  it('waits for an unknown SKU, publishes that once, and is sent when the SKU is known (rule 32)', async () => {
    const commandId = await app.publish('later', await uploads(1));
    const waiting = await app.resultOf(commandId);
    expect(waiting.key).toBe(`acme:result:erp.files.commands.v1:${commandId}:waiting`);
    expect(waiting.value).toMatchObject({
      outcome: 'waiting',
      final: false,
      finishedAt: null,
      for: [{ kind: 'sku', externalReference: 'later' }],
    });
    const shown = (await app.get('/api/skus/later/images?tenant=acme')).body;
    expect(shown).toMatchObject({
      kind: 'sku-images',
      openCommands: [{ commandId, waitingSince: expect.any(String) }],
    });
    await app.publishSku('another');
    await app.publishSku('later');
    const { value } = await app.resultOf(commandId, 2);
    expect(value).toMatchObject({ outcome: 'applied' });
    // Its own next look-up would come long after the test's time-out.
    expect(app.results(commandId)).toHaveLength(2);
  });

  it('is invalid if its SKU does not become known in time or was removed (rule 32)', async () => {
    await app.knowSku('gone', HASTY);
    await app.publishSku('gone', false, HASTY);
    await app.until('the SKU to be gone', async () => !(await app.isKnown('gone')));
    const commandId = await app.publish('gone', [await app.upload(png(), OTHER_TOKEN)], HASTY);
    const end = await app.resultOf(commandId, 2);
    expect(end.value).toMatchObject({ outcome: 'invalid', reason: { code: 'REFERENCE_MISSING' }, attempts: 0 });
    expect(app.platform.requestsOf('gone', 'POST')).toEqual([]);
  });

  it('is invalid with content that is unknown, no image or too large, without a call or a wait (rules 31, 32)', async () => {
    const [image, document, large] = [await app.upload(png()), await app.upload(pdf()), await app.upload(png(LIMIT))];
    const others = await app.upload(png(), OTHER_TOKEN);
    const commandId = await app.publish('nowhere', [UNKNOWN, document, large, image, others, 'no-guid']);
    const { value } = await app.resultOf(commandId);
    expect(value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'UPLOAD_UNKNOWN', field: 'images[0].content.uploadId' },
      errors: [
        { code: 'UPLOAD_UNKNOWN', field: 'images[0].content.uploadId' },
        { code: 'NOT_IMAGE', field: 'images[1].content.uploadId', hint: expect.stringContaining('é um PDF') },
        { code: 'CONTENT_NOT_ALLOWED', field: 'images[2].content.uploadId' },
        { code: 'UPLOAD_UNKNOWN', field: 'images[4].content.uploadId' },
        { code: 'UPLOAD_UNKNOWN', field: 'images[5].content.uploadId' },
      ],
    });
    expect(app.platform.requestsOf('nowhere', 'GET')).toEqual([]);
  });

  it('is invalid with a damaged image or a file that is no image, and the app continues (rule 32)', async () => {
    await known('hostile');
    const bomb = pngOf(60_000, 60_000, deflateSync(Buffer.alloc(1_000_000)));
    const hostile = [png().subarray(0, 500), bomb, Buffer.concat([png(), Buffer.from('<script>1</script>')])];
    const ids = await Promise.all(hostile.map((content) => app.upload(content)));
    const { value } = await app.resultOf(await app.publish('hostile', [...ids, ...(await uploads(1))]));
    const cutOff = { code: 'NOT_IMAGE', hint: expect.stringContaining('foi cortado') };
    const page = { code: 'NOT_IMAGE', hint: expect.stringContaining('também uma página com um script') };
    const large = { code: 'CONTENT_NOT_ALLOWED', hint: expect.stringContaining('3600000000, e o limite é 100000000') };
    const errors = [cutOff, large, page];
    expect(value).toMatchObject({
      outcome: 'invalid',
      attempts: 0,
      errors: errors.map((error, index) => ({ ...error, field: `images[${index}].content.uploadId` })),
    });
    expect((await app.resultOf(await app.publish('hostile', await uploads(1)))).value).toMatchObject({
      outcome: 'applied',
    });
  });

  it('is refused by the event of its operation, with the error of the platform (rules 5, 6)', async () => {
    await known('refused');
    const operationId = randomUUID();
    app.platform.on.uploadImages = async () => {
      // The outcome arrives before the answer.
      await app.notify({
        eventType: 'Operation_Failed',
        relatedEntity: 'Storage',
        operationId,
        data: {},
        error: ERROR,
      });
      await app.until('the failure', async () => (await app.count('platform_failures')) > 0);
      return { status: 200, json: { operationId } };
    };
    const { value } = await app.resultOf(await app.publish('refused', await uploads(1)));
    expect(value).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      reason: { code: 'PLATFORM_REFUSED', message: 'A plataforma recusou a operação.' },
      operationIds: [operationId],
      attempts: 1,
      platform: ERROR,
    });
  });

  it('is refused by a 4xx, which is never sent again (rule 17)', async () => {
    await known('no');
    app.platform.on.uploadImages = () => ({ status: 400, json: 'Formato inválido' });
    const { value } = await app.resultOf(await app.publish('no', await uploads(1)));
    expect(value).toMatchObject({
      outcome: 'refused',
      evidence: 'none',
      attempts: 1,
      platform: { statusCode: 400, message: '"Formato inválido"' },
    });
    expect(app.platform.requestsOf('no', 'POST')).toHaveLength(1);
  });

  it('reads the list after a lost answer, and does not send again what arrived (rule 16)', async () => {
    await known('lost');
    app.platform.on.uploadImages = (request) => {
      app.platform.storeImages(request);
      return 'drop';
    };
    const { value } = await app.resultOf(await app.publish('lost', await uploads(2)));
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1, operationIds: [] });
    expect(app.platform.requestsOf('lost', 'POST')).toHaveLength(1);
  });

  it('is sent again after a 5xx of which nothing arrived (rule 16)', async () => {
    await known('twice');
    const answers: Script[] = [() => ({ status: 503 })];
    const standard = app.platform.on.uploadImages;
    app.platform.on.uploadImages = (request) => (answers.shift() ?? standard)(request);
    const { value } = await app.resultOf(await app.publish('twice', await uploads(1)));
    expect(value).toMatchObject({ outcome: 'applied', attempts: 2 });
    expect(app.platform.images.get('twice')).toHaveLength(1);
  });

  it('is unconfirmed if the list is unchanged until the deadline, and is sent once (rule 5)', async () => {
    await app.knowSku('silent', HASTY);
    app.platform.on.uploadImages = () => ({ status: 200, json: { operationId: randomUUID() } });
    const { value } = await app.resultOf(await app.publish('silent', [await app.upload(png(), OTHER_TOKEN)], HASTY));
    expect(value).toMatchObject({
      outcome: 'unconfirmed',
      evidence: 'none',
      attempts: 1,
      reason: { code: 'PLATFORM_SILENT' },
    });
  });

  it('waits past its deadline while its list cannot be read, and holds back no other SKU (guarantee 5) (rule 5)', async () => {
    await app.knowSku('unread', HASTY);
    await app.knowSku('readable', HASTY);
    const list = app.platform.on.listImages;
    app.platform.on.listImages = (request) => (request.about === 'unread' ? { status: 503 } : list(request));
    const image = await app.upload(png(), OTHER_TOKEN);
    const waiting = await app.publish('unread', [image], HASTY);
    // The pauses between four readings are longer than the deadline.
    await app.until('four readings', () => app.platform.requestsOf('unread', 'GET').length >= 4);
    const passing = await app.resultOf(await app.publish('readable', [image], HASTY));
    expect(passing.value).toMatchObject({ outcome: 'applied' });
    expect((await app.get('/api/skus/unread/images?tenant=beta')).body).toMatchObject({
      openCommands: [{ commandId: waiting, blocked: 'server-error' }],
    });
    expect(app.results(waiting)).toEqual([]);
    app.platform.reset();
    expect((await app.resultOf(waiting)).value).toMatchObject({ outcome: 'applied', attempts: 1 });
  });

  it('releases its uploads, which are then deleted (rule 31)', async () => {
    const { rows } = await app.database.query('SELECT 1 FROM uploads WHERE uses > 0');
    expect(rows).toEqual([]);
  });
});
