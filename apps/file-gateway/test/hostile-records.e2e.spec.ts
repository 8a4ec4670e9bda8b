import { checkHostileRecords } from '@gondola/kafka/testing/hostile-records';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FileApp } from './support/file-app.ts';

/**
 * No record of an ERP stops the app: an unreadable one becomes a dead letter, and the next ones get their results.
 */
describe('records that were made to stop file-gateway', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await FileApp.start('hostile-files');
  });

  afterAll(() => app.stop());

  it('end in one dead letter or result each, and what follows has its own', async () => {
    const check = checkHostileRecords(app.installation, {
      topic: 'erp.files.commands.v1',
      results: 'erp.files.results.v1',
      group: 'gondola.file-gateway',
      tenant: 'acme',
      fields: (id) => `"commandId":"${id}","command":"ReadInvoice","orderNumber":100002`,
      ordinary: (commandId) => ({ commandId, command: 'NoSuchCommand', orderNumber: 100_002 }),
    });
    await expect(check).resolves.toBeUndefined();
  });
});
