import { randomUUID } from 'node:crypto';
import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FailuresRepository } from '../src/notifications/failures.repository.ts';
import { png } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';
import { HASTY } from './support/tenants.ts';

const ERROR = { statusCode: 404, message: 'File not found.', validationErrors: [] };

describe('commands on files', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await FileApp.start('files', { env: {}, deadlines: { commandMs: 2_000, settleMs: 300 } });
  });

  afterEach(() => {
    app.platform.reset();
    jest.restoreAllMocks();
  });

  afterAll(() => app.stop());

  async function ended(command: string, fields: object, tenant?: string): Promise<Record<string, unknown>> {
    const commandId = randomUUID();
    const headers = tenant === undefined ? undefined : { ce_tenant: tenant };
    await app.command({ commandId, command, ...fields }, headers);
    return (await app.resultOf(commandId)).value;
  }

  it('ListFiles answers the addresses, with whose they are (rule 35)', async () => {
    app.platform.images.set('list/1', ['https://files.example.com/1.png']);
    expect(await ended('ListFiles', { externalReference: 'list/1', fileType: 'sku' })).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      attempts: 0,
      entity: { kind: 'sku', externalReference: 'list/1' },
      data: {
        externalReference: 'list/1',
        fileType: { code: 1, name: 'SKU' },
        urls: ['https://files.example.com/1.png'],
      },
    });
    expect(await ended('ListFiles', { externalReference: 'queijos', fileType: 2 })).toMatchObject({
      entity: { kind: 'category', externalReference: 'queijos' },
      data: { fileType: { code: 2, name: 'Category' }, urls: [] },
    });
    expect(app.platform.requestsOf('queijos', 'GET')).toMatchObject([{ path: '/v1/Storages/file/queijos/2' }]);
  });

  it('operators see what is open for the files of a category, a product and any other entity', async () => {
    const answer = Promise.withResolvers<{ status: number; json: string[] }>();
    app.platform.on.listImages = () => answer.promise;
    const open: string[] = [];
    for (const [path, identity, about] of [
      ['categories/frios%2F1/files', 'category/frios/1', { externalReference: 'frios/1', fileType: 2 }],
      ['products/p-1/files', 'product/p-1', { externalReference: 'p-1', fileType: 5 }],
      ['files/selo', 'selo', { externalReference: 'selo', fileType: 3 }],
    ] as const) {
      const shown = () => app.get(`/api/${path}?tenant=acme`);
      expect((await shown()).status).toBe(404);
      const commandId = randomUUID();
      open.push(commandId);
      await app.command({ commandId, command: 'ListFiles', ...about });
      await app.until(`the lane ${identity}`, async () => (await shown()).status === 200);
      expect((await shown()).body).toMatchObject({
        kind: 'entity-files',
        identity,
        openCommands: [{ commandId, command: 'ListFiles' }],
      });
    }
    answer.resolve({ status: 200, json: [] });
    for (const commandId of open) await app.resultOf(commandId);
  });

  it('ListFiles is asked again after silence, and refused by a 4xx (rule 17)', async () => {
    const answers = [{ status: 503 }, { status: 200, json: ['u'] }];
    app.platform.on.listImages = () => answers.shift() ?? { status: 500 };
    const listed = await ended('ListFiles', { externalReference: 'again', fileType: 1 });
    expect(listed).toMatchObject({ outcome: 'applied', data: { urls: ['u'] } });
    app.platform.on.listImages = () => ({ status: 400, json: 'no' });
    const refused = await ended('ListFiles', { externalReference: 'no', fileType: 1 });
    expect(refused).toMatchObject({ outcome: 'refused', platform: { statusCode: 400 } });
  });

  it('RemoveFiles removes the named files, proven by the list (rules 16, 35)', async () => {
    app.platform.images.set('remove', ['a', 'b', 'c']);
    const about = { externalReference: 'remove', fileType: 'SKU' };
    expect(await ended('RemoveFiles', { ...about, urls: ['a', 'c'] })).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      attempts: 1,
      operationIds: [expect.any(String)],
    });
    expect(app.platform.images.get('remove')).toEqual(['b']);
    const [request] = app.platform.requestsOf('remove', 'DELETE');
    expect(JSON.parse(request!.text)).toEqual({ fileType: 1, urls: ['a', 'c'] });
    expect(await ended('RemoveFiles', { ...about, urls: ['a'] })).toMatchObject({ outcome: 'unchanged', attempts: 0 });
  });

  it('RemoveFiles by ids that no list shows is presumed applied after its settle time (rule 35)', async () => {
    app.platform.images.set('ids', ['a', 'b']);
    const about = { externalReference: 'ids', fileType: 1, storageIds: ['f-1'] };
    const presumed = await ended('RemoveFiles', about, HASTY);
    expect(presumed).toMatchObject({ outcome: 'applied', evidence: 'presumed', attempts: 1 });
    app.platform.on.removeFiles = () => {
      app.platform.images.set('ids', ['b']);
      return { status: 200 };
    };
    const proven = await ended('RemoveFiles', about);
    expect(proven).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
  });

  it('RemoveFiles is refused by the event of its operation, and read after a lost answer (rules 5, 16)', async () => {
    app.platform.images.set('refused', ['a']);
    const operationId = randomUUID();
    app.platform.on.removeFiles = async () => {
      const about = { relatedEntity: 'ProductWithSKUs', data: { externalReference: 'refused' } };
      await app.notify({ eventType: 'Operation_Failed', operationId, error: ERROR, ...about });
      return { status: 200, json: { operationId } };
    };
    const about = { externalReference: 'refused', fileType: 1, urls: ['a'] };
    const refused = await ended('RemoveFiles', about);
    expect(refused).toMatchObject({ outcome: 'refused', evidence: 'event', platform: ERROR, attempts: 1 });
    app.platform.on.removeFiles = (request) => {
      app.platform.removeFiles(request);
      return 'drop';
    };
    const lost = await ended('RemoveFiles', about);
    expect(lost).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1 });
  });

  it('RemoveFiles is refused by an event that is stored while its failures are loaded after the settle time (rule 5)', async () => {
    app.platform.images.set('late', ['a']);
    const operationId = randomUUID();
    app.platform.on.removeFiles = () => ({ status: 200, json: { operationId } });
    const consumed = app.installation.running.app.get(ConsumedRecords, { strict: false });
    const failures = app.installation.running.app.get(FailuresRepository, { strict: false });
    const upTo = jest.spyOn(consumed, 'upTo').mockReturnValue(null);
    const ask = jest.spyOn(consumed, 'ask').mockReturnValue(10);
    const load = failures.ofCommand.bind(failures);
    jest.spyOn(failures, 'ofCommand').mockImplementation(async (about) => {
      const loaded = await load(about);
      if (ask.mock.calls.length === 1) {
        const data = { externalReference: 'late' };
        const parts = {
          eventType: 'Operation_Failed',
          relatedEntity: 'ProductWithSKUs',
          operationId,
          error: ERROR,
          data,
        };
        await app.installation.notify(HASTY, [parts]);
        await app.until('the failure', async () => (await load(about)).failures.length > 0);
        ask.mockReturnValue(20);
        upTo.mockReturnValue(Infinity);
      }
      return loaded;
    });
    const about = { externalReference: 'late', fileType: 1, storageIds: ['f-2'] };
    expect(await ended('RemoveFiles', about, HASTY)).toMatchObject({ outcome: 'refused', evidence: 'event' });
  });

  it('RemoveFiles is unconfirmed if the list is unchanged until the deadline (rule 5)', async () => {
    app.platform.images.set('silent', ['a']);
    app.platform.on.removeFiles = () => ({ status: 200 });
    const silent = await ended('RemoveFiles', { externalReference: 'silent', fileType: 1, urls: ['a'] }, HASTY);
    expect(silent).toMatchObject({ outcome: 'unconfirmed', reason: { code: 'PLATFORM_SILENT' } });
  });

  it('RemoveAllFiles needs its confirmation, and is presumed or refused (rule 35)', async () => {
    const entityId = randomUUID();
    await app.badCommand({ commandId: 'c-unconfirmed', command: 'RemoveAllFiles', entityId });
    expect((await app.resultOf('c-unconfirmed')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'CONFIRM_REQUIRED' },
    });
    expect(app.platform.requestsOf(entityId, 'DELETE')).toEqual([]);
    const removed = await ended('RemoveAllFiles', { entityId, confirm: true }, HASTY);
    expect(removed).toMatchObject({
      outcome: 'applied',
      evidence: 'presumed',
      attempts: 1,
      entity: { kind: 'file', entityId },
    });
    app.platform.on.removeAll = async () => {
      // The answer names no operation, so the refusal is found by the entity.
      const about = { relatedEntity: 'ProductWithSKUs', data: { id: entityId }, error: ERROR };
      await app.notify({ eventType: 'Operation_Failed', operationId: randomUUID(), ...about });
      return { status: 200 };
    };
    const refused = await ended('RemoveAllFiles', { entityId, confirm: true });
    expect(refused).toMatchObject({ outcome: 'refused', evidence: 'event', platform: ERROR });
  });

  it('UndoImageUpload removes the images that a command uploaded (rules 16, 35)', async () => {
    await app.knowSku('undo');
    app.platform.images.set('undo', ['kept']);
    const contents = [png(), png()];
    const ids = await Promise.all(contents.map((content) => app.upload(content)));
    const undoes = await app.publish('undo', ids);
    expect((await app.resultOf(undoes)).value).toMatchObject({ outcome: 'applied' });
    const about = { skuExternalReference: 'undo', undoes };
    const undone = await ended('UndoImageUpload', about);
    expect(undone).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1 });
    const [request] = app.platform.requestsOf('undo', 'DELETE');
    expect(request).toMatchObject({ orders: ['1', '2'], files: contents.map((bytes) => ({ bytes })) });
    expect(app.platform.images.get('undo')).toEqual(['kept']);
    expect(await ended('UndoImageUpload', about)).toMatchObject({ outcome: 'unchanged', attempts: 0 });
    // The undone image no longer counts as applied.
    expect((await app.resultOf(await app.publish('undo', ids))).value).toMatchObject({
      outcome: 'applied',
      attempts: 1,
    });
  });

  it('UndoImageUpload of a command that brought nothing there, or whose content expired, is invalid (rule 35)', async () => {
    await app.knowSku('fresh');
    const undoes = await app.publish('fresh', [await app.upload(png())]);
    await app.resultOf(undoes);
    for (const about of [
      { skuExternalReference: 'fresh', undoes: 'nobody' },
      { skuExternalReference: 'other', undoes },
    ]) {
      const unknown = await ended('UndoImageUpload', about);
      expect(unknown).toMatchObject({ outcome: 'invalid', reason: { code: 'COMMAND_UNKNOWN', field: 'undoes' } });
    }
    await app.database.query(`UPDATE uploads SET expires_at = clock_timestamp() - interval '1 s'`);
    const expired = await ended('UndoImageUpload', { skuExternalReference: 'fresh', undoes });
    expect(expired).toMatchObject({ outcome: 'invalid', reason: { code: 'UPLOAD_UNKNOWN', field: 'undoes' } });
  });
});
