import { checkHostileRecords } from '@gondola/messaging/testing/hostile-records';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FileApp } from './support/file-app.ts';
import { startFileApp } from './support/natively.ts';

/** No record that an ERP writes stops the app: what is unreadable is a dead letter, and what follows has its result. */
describe('records that were made to stop file-gateway', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await startFileApp('hostile-files');
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
