import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pdf } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';

const ORDER = { number: 700, id: '0b000000-0000-4000-8000-000000000700' };
const OTHER = { number: 701, id: '0b000000-0000-4000-8000-000000000701' };

describe('the erasure of an order', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await FileApp.start('file-erasure', { deadlines: { commandMs: 2_000, settleMs: 100 } });
  });

  afterAll(() => app.stop());

  const erase = async (orderNumber: number): Promise<unknown> => {
    const body = { tenant: 'acme', orderNumber, confirm: true };
    return (await app.send('/api/erasures', body)).body;
  };

  it('ends the uploads of its invoice, and takes it out of commands, refusals and dead letters', async () => {
    const [upload, other] = [await app.upload(pdf()), await app.upload(pdf())];
    const commandId = await app.attach(ORDER, upload);
    await app.resultOf(commandId);
    await app.resultOf(await app.attach(OTHER, other));
    await app.installation.notify('acme', [
      {
        eventType: 'Order_InvoiceFileUploadFailed',
        data: JSON.stringify(ORDER),
        error: '{"message":"Cliente Teste 01"}',
      },
    ]);
    await app.badCommand({ commandId: 7.5, command: 'ReadInvoice', orderNumber: ORDER.number });
    await app.installation.deadLetters(1);
    const refused = async (): Promise<string | null> => {
      const text = `SELECT encode(error, 'escape') AS error FROM platform_failures WHERE lane_identity = '700'`;
      return (await app.database.query<{ error: string | null }>(text)).rows[0]?.error ?? null;
    };
    await app.installation.until(async () => (await refused()) !== null);

    const shown = () => app.get(`/api/commands/${encodeURIComponent(commandId)}?tenant=acme`);
    expect(await shown()).toMatchObject({ body: { outcome: 'applied', result: { outcome: 'applied' } } });
    expect(await erase(ORDER.number)).toMatchObject({
      orderNumber: '700',
      erased: { commands: 1, uploads: 1, refusals: 1, deadLetters: 1 },
      stays: [],
      topics: expect.arrayContaining([
        expect.objectContaining({ topic: expect.stringContaining('erp.files.commands.v1') }),
      ]),
    });
    expect(await refused()).toBeNull();
    expect(await shown()).toMatchObject({ body: { outcome: 'applied', result: null } });
    const { rows } = await app.database.query<{ id: string }>(`SELECT id FROM uploads WHERE state = 'complete'`);
    expect(rows.map(({ id }) => id)).toEqual([other]);
    expect((await app.get('/api/erasures?limit=1')).body).toMatchObject({ entries: [{ orderNumber: '700' }] });
  });

  it('of an unknown order is recorded, too', async () => {
    expect(await erase(799)).toMatchObject({ erased: { commands: 0, uploads: 0, refusals: 0, deadLetters: 0 } });
  });
});
