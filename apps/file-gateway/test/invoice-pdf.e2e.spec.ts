import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { invoicePdf, pdf, png } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';
import { HASTY, OTHER_TOKEN } from './support/tenants.ts';
import type { Script } from './support/scripted-platform.ts';

const ERROR = { statusCode: 422, message: 'Arquivo recusado', validationErrors: [] };
/** Personal data of a test shopper, which must never appear in a log. */
const CANARIES = ['Cliente Teste 01', 'canario.teste01@example.com', '00000000191'];

const hash = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const orderOf = (number: number) => ({ number, id: `0b000000-0000-4000-8000-${String(number).padStart(12, '0')}` });
const orderData = ({ number, id }: { number: number; id: string }) => ({
  id,
  number,
  status: 300,
  user: { firstName: CANARIES[0], email: CANARIES[1], document: CANARIES[2] },
});

/** Commands of a printer before the PDF. */
const PRINT_JOB = Buffer.from('\u001B%-12345X@PJL JOB\n@PJL ENTER LANGUAGE=PDF\n', 'latin1');

describe('the PDF of an invoice', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await FileApp.start('invoice-pdf', { deadlines: { commandMs: 2_000, settleMs: 100 } });
  });

  afterEach(() => app.platform.reset());

  afterAll(() => app.stop());

  it("is attached by the order's GUID, as a PDF, and read back, for the saga that asked (rules 15, 33)", async () => {
    const order = orderOf(1);
    const content = pdf();
    const commandId = await app.attach(order, await app.upload(content), 'c-88');
    expect(commandId).toBe('c-88/pdf');
    const { key, headers, value } = await app.resultOf(commandId);
    expect(key).toBe('acme:result:erp.files.commands.v1:c-88/pdf:applied');
    expect(headers).toMatchObject({ ce_subject: 'order/1', ce_partitionkey: 'acme/order/1', ce_commandid: 'c-88/pdf' });
    expect(value).toMatchObject({
      command: 'UploadInvoicePdf',
      parentCommandId: 'c-88',
      entity: { kind: 'order', orderNumber: 1 },
      outcome: 'applied',
      evidence: 'read-back',
      attempts: 1,
      operationIds: [],
    });
    const [request] = app.platform.requestsOf(order.id, 'POST');
    expect(request!.files).toEqual([{ name: '1.pdf', type: 'application/pdf', bytes: content }]);
    expect(app.platform.requests.find(({ about }) => about === order.id)!.method).toBe('GET');
  });

  it('replaces the one before, and is not sent again as long as it is the one attached (rules 15, 16)', async () => {
    const order = orderOf(2);
    const [first, second] = [pdf(), pdf()];
    const attach = async (content: Buffer) =>
      (await app.resultOf(await app.attach(order, await app.upload(content)))).value;
    expect(await attach(first)).toMatchObject({ outcome: 'applied', attempts: 1 });
    expect(await attach(first)).toMatchObject({ outcome: 'unchanged', evidence: 'already-in-state', attempts: 0 });
    expect(await attach(second)).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1 });
    expect(await attach(second)).toMatchObject({ outcome: 'unchanged', attempts: 0 });
    expect(await attach(first)).toMatchObject({ outcome: 'applied', attempts: 1 });
    expect(app.platform.invoices.get(order.id)!.map(({ bytes }) => bytes)).toEqual([first, second, first]);
  });

  it('is sent again if somebody removed it (rule 15)', async () => {
    const order = orderOf(20);
    const content = pdf();
    await app.resultOf(await app.attach(order, await app.upload(content)));
    app.platform.invoices.delete(order.id);
    const { value } = await app.resultOf(await app.attach(order, await app.upload(content)));
    expect(value).toMatchObject({ outcome: 'applied', attempts: 1 });
  });

  it('replaces a PDF that Gondola never sent, since its content is unknown (rule 15)', async () => {
    const order = orderOf(21);
    app.platform.invoices.set(order.id, [{ name: '', type: '', bytes: pdf() }]);
    const content = pdf();
    const { value } = await app.resultOf(await app.attach(order, await app.upload(content)));
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1 });
    expect(app.platform.invoices.get(order.id)!.at(-1)!.bytes).toEqual(content);
  });

  it('replaces another once although its answer was lost (rules 15, 16)', async () => {
    const order = orderOf(22);
    app.platform.invoices.set(order.id, [{ name: '', type: '', bytes: pdf() }]);
    app.platform.on.uploadInvoice = (request) => {
      app.platform.storeInvoice(request);
      return 'drop';
    };
    const { value } = await app.resultOf(await app.attach(order, await app.upload(pdf())));
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1 });
    expect(app.platform.invoices.get(order.id)).toHaveLength(2);
  });

  it('is presumed where the platform shows every file of an order alike and refuses nothing (rules 5, 15)', async () => {
    const order = orderOf(23);
    app.platform.on.findInvoice = () => ({ status: 200, json: { url: 'https://files.example.com/23.pdf' } });
    const upload = (content: Buffer) => app.upload(content, OTHER_TOKEN);
    const content = pdf();
    const { value } = await app.resultOf(await app.attach(order, await upload(content), 'c-23', HASTY));
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'presumed', attempts: 1 });
    const again = await app.resultOf(await app.attach(order, await upload(content), 'c-23-2', HASTY));
    expect(again.value).toMatchObject({ outcome: 'unchanged', attempts: 0 });
    expect(app.platform.requestsOf(order.id, 'POST')).toHaveLength(1);
  });

  it('that is refused leaves the one before as the one that is attached (rule 16)', async () => {
    const order = orderOf(24);
    const content = pdf();
    await app.resultOf(await app.attach(order, await app.upload(content)));
    app.platform.on.uploadInvoice = () => ({ status: 400, json: 'não' });
    const refused = await app.resultOf(await app.attach(order, await app.upload(pdf())));
    expect(refused.value).toMatchObject({ outcome: 'refused', attempts: 1 });
    const again = await app.resultOf(await app.attach(order, await app.upload(content)));
    expect(again.value).toMatchObject({ outcome: 'unchanged', attempts: 0 });
  });

  it('is invalid where it is no PDF, without a call (rule 33)', async () => {
    const order = orderOf(3);
    const { value } = await app.resultOf(await app.attach(order, await app.upload(png())));
    expect(value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'NOT_PDF', field: 'content.uploadId', hint: expect.stringContaining('DANFE em PDF') },
      parentCommandId: expect.any(String),
    });
    expect(app.platform.requestsOf(order.id, 'GET')).toEqual([]);
  });

  it.each([
    [40, 'whole', invoicePdf(), []],
    [41, 'encrypted', invoicePdf({ more: '/Encrypt 9 0 R' }), ['PDF_ENCRYPTED']],
    [42, 'damaged', invoicePdf({ root: '' }), ['PDF_DAMAGED']],
    [43, 'of a print job', Buffer.concat([PRINT_JOB, invoicePdf(), Buffer.alloc(5_000)]), ['PDF_SURROUNDED']],
  ])(
    'is attached as it is, and warned about before and after, where a viewer may not open it: order %i, %s (rule 33)',
    async (number, _what, content, codes) => {
      const uploadId = await app.upload(content);
      const warnings = codes.map((code) => expect.objectContaining({ code, field: 'content.uploadId' }));
      expect((await app.resultOf(await app.check(number, uploadId))).value).toMatchObject({
        outcome: 'applied',
        warnings,
      });
      const order = orderOf(number);
      const { value } = await app.resultOf(await app.attach(order, uploadId));
      expect(value).toMatchObject({ outcome: 'applied', evidence: 'read-back', warnings });
      expect(app.platform.invoices.get(order.id)).toMatchObject([{ bytes: content }]);
    },
  );

  it('is refused with the words of the platform, and not sent again (rules 17, 33)', async () => {
    const order = orderOf(4);
    app.platform.on.uploadInvoice = () => ({ status: 400, json: 'Apenas arquivos PDF são permitidos' });
    const { value } = await app.resultOf(await app.attach(order, await app.upload(pdf())));
    expect(value).toMatchObject({
      outcome: 'refused',
      reason: { code: 'PLATFORM_REFUSED' },
      attempts: 1,
      platform: { statusCode: 400, message: '"Apenas arquivos PDF são permitidos"' },
    });
    expect(app.platform.requestsOf(order.id, 'POST')).toHaveLength(1);
  });

  it('is refused by an Operation_Failed about its order, whose operation no answer named (rules 5, 6)', async () => {
    const order = orderOf(5);
    app.platform.on.uploadInvoice = () => ({ status: 200 });
    const commandId = await app.attach(order, await app.upload(pdf()));
    await app.until('the upload', () => app.platform.requestsOf(order.id, 'POST').length === 1);
    const data = { id: order.id, number: 5, status: 400 };
    await app.notify({ eventType: 'Operation_Failed', data, error: ERROR });
    const { value } = await app.resultOf(commandId);
    expect(value).toMatchObject({ outcome: 'refused', evidence: 'event', attempts: 1, platform: ERROR });
  });

  it('counts as applied although a refusal of something else came, when it is there (rule 16)', async () => {
    const order = orderOf(6);
    app.platform.on.uploadInvoice = async (request) => {
      await app.notify({ eventType: 'Operation_Failed', data: { number: 6 }, error: ERROR });
      app.platform.storeInvoice(request);
      return { status: 200 };
    };
    const { value } = await app.resultOf(await app.attach(order, await app.upload(pdf())));
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
  });

  it('is one in effect although its answer was lost (rules 15, 16)', async () => {
    const order = orderOf(7);
    app.platform.on.uploadInvoice = (request) => {
      app.platform.storeInvoice(request);
      return 'drop';
    };
    const { value } = await app.resultOf(await app.attach(order, await app.upload(pdf())));
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1 });
    expect(app.platform.invoices.get(order.id)).toHaveLength(1);
  });

  it('makes no attempt if the platform answers 429, and is sent after Retry-After (rule 17)', async () => {
    const order = orderOf(8);
    const standard = app.platform.on.uploadInvoice;
    const answers: Script[] = [() => ({ status: 429, headers: { 'retry-after': '1' } })];
    app.platform.on.uploadInvoice = (request) => (answers.shift() ?? standard)(request);
    const { value } = await app.resultOf(await app.attach(order, await app.upload(pdf())));
    expect(value).toMatchObject({ outcome: 'applied', attempts: 1 });
  });

  it('is unconfirmed when it is not seen to the deadline, and never sent blindly (rules 5, 15)', async () => {
    const order = orderOf(9);
    app.platform.on.uploadInvoice = () => ({ status: 200 });
    const uploadId = await app.upload(pdf(), OTHER_TOKEN);
    const { value } = await app.resultOf(await app.attach(order, uploadId, 'c-9', HASTY));
    expect(value).toMatchObject({ outcome: 'unconfirmed', reason: { code: 'PLATFORM_SILENT' } });
    const methods = app.platform.requests.filter(({ about }) => about === order.id).map(({ method }) => method);
    for (const [index, method] of methods.entries())
      expect(method === 'GET' || methods[index - 1] === 'GET').toBe(true);
    expect(methods.filter((method) => method === 'POST').length).toBeLessThanOrEqual(3);
  });
});

describe('CheckInvoicePdf', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await FileApp.start('check-pdf', { env: { UPLOAD_KEEP_MS: '600000' } });
  });

  afterAll(() => app.stop());

  const expiresInMs = async (uploadId: string): Promise<number> => {
    const text =
      'SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 * 1000 AS ms FROM uploads WHERE id = $1';
    const { rows } = await app.database.query<{ ms: number }>(text, [uploadId]);
    return rows[0]!.ms;
  };

  it('confirms that the upload exists and is a PDF, and extends its life past the invoice, without a call (rule 33)', async () => {
    const content = pdf();
    const uploadId = await app.upload(content);
    await app.database.query(`UPDATE uploads SET expires_at = clock_timestamp() + interval '5 min'`);
    const { key, value } = await app.resultOf(await app.check(31, uploadId, 'c-31'));
    expect(key).toBe('acme:result:erp.files.commands.v1:c-31/chk:applied');
    expect(value).toMatchObject({
      command: 'CheckInvoicePdf',
      parentCommandId: 'c-31',
      entity: { kind: 'order', orderNumber: 31 },
      outcome: 'applied',
      evidence: 'none',
      attempts: 0,
      data: { sha256: hash(content), size: content.length, expiresAt: expect.any(String) },
    });
    // Stored as long as a new upload (600 s) plus the deadline of an invoice (60 min by default).
    expect(await expiresInMs(uploadId)).toBeGreaterThan(3_600_000);
    expect(app.platform.requests).toEqual([]);
  });

  it('is invalid for an image, for an expired upload and for one that never was, without a call (rule 33)', async () => {
    const image = await app.check(32, await app.upload(png()));
    expect((await app.resultOf(image)).value).toMatchObject({ outcome: 'invalid', reason: { code: 'NOT_PDF' } });
    const expired = await app.upload(pdf());
    await app.database.query(`UPDATE uploads SET expires_at = clock_timestamp() - interval '1 s' WHERE id = $1`, [
      expired,
    ]);
    for (const uploadId of [expired, randomUUID(), 'no-uuid']) {
      const { value } = await app.resultOf(await app.check(32, uploadId));
      expect(value).toMatchObject({ outcome: 'invalid', reason: { code: 'UPLOAD_UNKNOWN' }, attempts: 0, data: null });
    }
    expect(app.platform.requests).toEqual([]);
  });
});

describe('ReadInvoice', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await FileApp.start('read-invoice', { deadlines: { commandMs: 1_000 } });
  });

  afterEach(() => app.platform.reset());

  afterAll(() => app.stop());

  const read = async (orderNumber: number | string, tenant = 'acme'): Promise<string> => {
    const commandId = randomUUID();
    await app.command({ commandId, command: 'ReadInvoice', orderNumber }, { ce_tenant: tenant });
    return commandId;
  };

  const isIdKnown = async (orderNumber: number): Promise<boolean> => {
    const text = 'SELECT 1 FROM order_ids WHERE order_number = $1';
    return (await app.database.query(text, [orderNumber])).rows.length > 0;
  };

  it('answers what is attached, by the GUID of the notifications (rule 33)', async () => {
    const order = orderOf(11);
    await app.notify({ data: orderData(order) });
    await app.until('the GUID', () => isIdKnown(11));
    app.platform.invoices.set(order.id, [{ name: '', type: '', bytes: pdf() }]);
    const { value } = await app.resultOf(await read(11));
    expect(value).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      attempts: 0,
      data: {
        orderNumber: 11,
        orderId: order.id,
        attached: true,
        mediaType: 'application/json',
        urls: [`https://files.example.com/${order.id}.pdf`],
      },
    });
    expect(app.platform.requestsOf('11', 'GET')).toEqual([]);
  });

  it('reads the GUID where no notification has it, and answers that nothing is attached (rule 33)', async () => {
    const order = orderOf(12);
    app.platform.on.payload = () => ({ status: 200, json: { ...orderData(order), eventType: 14 } });
    const { value } = await app.resultOf(await read('12'));
    expect(value).toMatchObject({ outcome: 'applied', data: { orderNumber: 12, orderId: order.id, attached: false } });
  });

  it('is refused for an order that the platform does not know (rule 17)', async () => {
    const { value } = await app.resultOf(await read(13));
    expect(value).toMatchObject({ outcome: 'refused', reason: { code: 'ORDER_UNKNOWN' }, data: null });
  });

  it('ends where the platform gives nothing to the deadline', async () => {
    app.platform.on.payload = () => ({ status: 503 });
    const { value } = await app.resultOf(await read(14, HASTY));
    expect(value).toMatchObject({ outcome: 'refused', reason: { code: 'PLATFORM_UNREADABLE' }, attempts: 0 });
  });

  it('logs no personal data (rule 33)', async () => {
    const order = orderOf(15);
    app.platform.on.payload = () => ({ status: 200, json: { ...orderData(order), eventType: 14 } });
    await app.notify({ data: orderData(orderOf(16)) });
    await app.until('the GUID', () => isIdKnown(16));
    const commandId = await read(15);
    await app.resultOf(commandId);
    const log = (): string => app.installation.logLines.join('');
    const isLogged = (line: string): boolean => line.includes('A command ended') && line.includes(commandId);
    await app.until('the line of the command', () => app.installation.logLines.some(isLogged));
    for (const canary of CANARIES) expect(log()).not.toContain(canary);
  });
});
