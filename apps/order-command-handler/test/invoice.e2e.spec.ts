import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const TRANSACTION = '00000000-0000-4000-8000-0000000000aa';
const REGISTERED = { status: 200, json: { orderInvoiced: { number: '000123' } } };
const UNREGISTERED = { status: 200, json: { orderInvoiced: null } };
const accepted = { status: 200, json: { transactionId: TRANSACTION } };

describe('RegisterInvoice', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('invoice', { lostAnswerMs: 100 });
  });

  afterEach(() => {
    app.platform.on.register = () => accepted;
    app.platform.on.payload = () => REGISTERED;
    app.platform.on.read = () => ({ status: 200, json: 300 });
    app.platform.on.status = () => ({ status: 200, json: { operationId: null } });
  });

  afterAll(() => app.stop());

  const paid = async (number: number): Promise<void> => {
    await app.notify({ data: orderData({ number, status: 300, updatedAt: '2026-11-20T10:15:00' }) });
    await app.eventsOf(number, 1);
  };
  const invoiced = (number: number): Promise<void> =>
    app.notify({ data: orderData({ number, status: 350, updatedAt: '2026-11-20T10:20:00' }) });
  const register = (number: number, more: object = { pdf: { uploadId: 'u-1' } }): Promise<void> =>
    app.command({
      commandId: `i-${number}`,
      command: 'RegisterInvoice',
      orderNumber: number,
      number: '000123',
      issuedAt: '2026-11-20T10:00:00-03:00',
      value: '12.45',
      ...more,
    });
  const registerChecked = async (number: number): Promise<void> => {
    await register(number);
    await app.pdfChecked(number, `i-${number}`);
  };

  it('registers in cents, has the PDF attached, and ends by the 350, which is no event (rules 10, 14, 15)', async () => {
    app.platform.on.register = () => accepted;
    await paid(600001);
    await registerChecked(600001);
    const [pdf] = await app.pdfCommands(600001, 1);
    expect(pdf!.key).toBe('600001');
    expect(pdf!.headers).toMatchObject({
      ce_id: 'acme:command:i-600001/pdf',
      ce_type: 'UploadInvoicePdf',
      ce_tenant: 'acme',
      // The ERP sent none: the one that was begun as its command came in.
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
    expect(pdf!.headers).not.toHaveProperty('ce_partitionkey');
    expect(pdf!.value).toEqual({
      commandId: 'i-600001/pdf',
      command: 'UploadInvoicePdf',
      orderNumber: 600001,
      orderId: '0b000000-0000-4000-8000-000000000001',
      content: { uploadId: 'u-1' },
      parentCommandId: 'i-600001',
    });
    // Before its PDF is there: no end, and no event either.
    await invoiced(600001);
    await app.stored(600001, 2);
    await app.pdfResult('i-600001', { outcome: 'applied' });
    expect((await app.resultOf('i-600001')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'event',
      attempts: 1,
      operationIds: [TRANSACTION],
      warnings: [],
      revision: 1,
    });
    expect(app.platform.callsOf(600001, 'register').map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { number: '000123', issuanceDate: expect.stringMatching(/^2026-11-20T13:00:00(\.0+)?Z$/), value: 1245 },
    ]);
    expect(app.platform.callsOf(600001, 'status')).toEqual([]);
    expect(app.events(600001)).toHaveLength(1);
  });

  it('asks first whether its PDF can be attached, and sends nothing until that is answered (rule 33)', async () => {
    await paid(600013);
    await register(600013);
    const shown = async (): Promise<string> => JSON.stringify((await app.get('/api/orders/600013')).body);
    await app.until(async () => (await shown()).includes('"waits":{"for":"pdf"}'));
    expect(JSON.parse(await shown())).toMatchObject({ openCommands: [{ attempts: 0, deadlineAt: null }] });
    expect(app.platform.callsOf(600013, 'register')).toEqual([]);
    const check = await app.pdfChecked(600013, 'i-600013');
    expect(check.headers).toMatchObject({ ce_id: 'acme:command:i-600013/chk', ce_type: 'CheckInvoicePdf' });
    expect(check.key).toBe('600013');
    expect(check.value).toEqual({
      commandId: 'i-600013/chk',
      command: 'CheckInvoicePdf',
      orderNumber: 600013,
      content: { uploadId: 'u-1' },
      parentCommandId: 'i-600013',
    });
    await app.pdfCommands(600013, 1);
    expect(app.platform.callsOf(600013, 'register')).toHaveLength(1);
  });

  it.each(['NOT_PDF', 'UPLOAD_UNKNOWN'] as const)(
    'with an upload that is %s ends invalid, and nothing was sent (rule 33)',
    async (code) => {
      const number = code === 'NOT_PDF' ? 600014 : 600015;
      await paid(number);
      await register(number);
      await app.pdfChecked(number, `i-${number}`, {
        code,
        message: 'O conteúdo não serve.',
        field: 'content.uploadId',
      });
      expect((await app.resultOf(`i-${number}`)).value).toMatchObject({
        outcome: 'invalid',
        reason: { code, field: 'pdf' },
        warnings: [],
        attempts: 0,
      });
      expect(app.platform.requests.filter(({ path }) => path.includes(String(number)))).toEqual([]);
    },
  );

  it('sets ORDER_INVOICED itself when the status does not become 350, and only then (rule 15)', async () => {
    await paid(600002);
    app.platform.on.status = async () => {
      await invoiced(600002);
      return { status: 200, json: { operationId: null } };
    };
    await registerChecked(600002);
    await app.pdfCommands(600002, 1);
    await app.pdfResult('i-600002', { outcome: 'applied' });
    expect((await app.resultOf('i-600002')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'event',
      attempts: 2,
    });
    expect(app.platform.callsOf(600002, 'read').length).toBeGreaterThan(2);
    expect(app.platform.callsOf(600002, 'status').map(({ body }) => body)).toEqual(['{"status":"ORDER_INVOICED"}']);
  });

  it('without a PDF ends when the registration is read back, with a warning (rule 15)', async () => {
    await paid(600003);
    const payloads = [UNREGISTERED];
    app.platform.on.payload = () => payloads.shift() ?? REGISTERED;
    await register(600003, {});
    expect((await app.resultOf('i-600003')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      warnings: [{ code: 'PDF_MISSING', field: 'pdf' }],
    });
    expect(app.platform.callsOf(600003, 'register')).toHaveLength(1);
  });

  it('is stopped by another price, before payment, and by content that is no upload, without a call (rules 14, 33)', async () => {
    await paid(600004);
    await register(600004, { value: '12.46' });
    await register(600005);
    expect((await app.resultOf('i-600004')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'PRICE_MISMATCH', field: 'value' },
    });
    expect((await app.resultOf('i-600005')).value).toMatchObject({ reason: { code: 'ORDER_UNKNOWN' } });
    expect(app.platform.callsOf(600004, 'register')).toEqual([]);
  });

  it('is not sent again after a 400 (rule 17)', async () => {
    await paid(600006);
    app.platform.on.register = () => ({ status: 400, json: 'number' });
    await registerChecked(600006);
    expect((await app.resultOf('i-600006')).value).toMatchObject({
      outcome: 'refused',
      reason: { code: 'PLATFORM_REFUSED' },
      platform: { statusCode: 400 },
      warnings: [],
    });
    expect(app.platform.callsOf(600006, 'register')).toHaveLength(1);
  });

  it('is sent again after a 500 of an order that the platform knows, identically (rules 15, 17)', async () => {
    await paid(600007);
    const answers = [{ status: 500 }, accepted];
    app.platform.on.register = () => answers.shift() ?? accepted;
    app.platform.on.payload = () => UNREGISTERED;
    await registerChecked(600007);
    await app.pdfCommands(600007, 1);
    const bodies = app.platform.callsOf(600007, 'register').map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(new Set(bodies).size).toBe(1);
  });

  it('distinguishes a 500 from an order that the platform does not know (rule 17)', async () => {
    await paid(600008);
    app.platform.on.register = () => ({ status: 500 });
    app.platform.on.payload = () => ({ status: 404 });
    await registerChecked(600008);
    expect((await app.resultOf('i-600008')).value).toMatchObject({
      outcome: 'refused',
      reason: { code: 'ORDER_UNKNOWN' },
      attempts: 1,
    });
  });

  it('reports why its PDF was not attached, and that the invoice is registered without it (rule 15)', async () => {
    await paid(600009);
    await registerChecked(600009);
    await app.pdfCommands(600009, 1);
    await app.pdfResult('i-600009', {
      outcome: 'invalid',
      reason: { code: 'UPLOAD_UNKNOWN', message: 'O conteúdo enviado não existe ou já expirou.' },
    });
    expect((await app.resultOf('i-600009')).value).toMatchObject({
      outcome: 'refused',
      reason: { code: 'UPLOAD_UNKNOWN', field: 'pdf' },
      warnings: [{ code: 'PDF_MISSING' }],
    });
    await app.command({
      commandId: 'attach-9',
      command: 'AttachInvoicePdf',
      orderNumber: 600009,
      pdf: { uploadId: 'u-2' },
    });
    await app.pdfCommands(600009, 2);
    await app.pdfResult('attach-9', { outcome: 'applied' });
    await invoiced(600009);
    expect((await app.resultOf('attach-9')).value).toMatchObject({ outcome: 'applied', evidence: 'event' });
    expect(app.platform.callsOf(600009, 'register')).toHaveLength(1);
  });

  it.each(['AttachInvoicePdf', 'RegisterInvoice'])(
    '%s replaces the PDF of an invoiced order, and reports what was sent of it (rules 15, 16)',
    async (command) => {
      const number = command === 'AttachInvoicePdf' ? 600011 : 600012;
      await paid(number);
      await invoiced(number);
      await app.eventsOf(number, 2);
      const attach = async (commandId: string, more: Parameters<typeof app.pdfResult>[1]) => {
        const registration = { number: '000123', issuedAt: '2026-11-20T10:00:00-03:00', value: '12.45' };
        const about = command === 'AttachInvoicePdf' ? {} : registration;
        await app.command({ commandId, command, orderNumber: number, pdf: { uploadId: 'u-2' }, ...about });
        await app.until(async () =>
          (await app.pdfCommands(number, 1)).some((each) => each.value['parentCommandId'] === commandId),
        );
        await app.pdfResult(commandId, more);
        return (await app.resultOf(commandId)).value;
      };
      const replaced = { outcome: 'applied', evidence: 'read-back', attempts: 2 } as const;
      expect(await attach(`${command}-other`, replaced)).toMatchObject({ ...replaced, warnings: [] });
      const same = { outcome: 'unchanged', evidence: 'already-in-state', attempts: 0 } as const;
      expect(await attach(`${command}-same`, same)).toMatchObject({ ...same, warnings: [] });
      const reason = { code: 'NOT_PDF', message: 'O conteúdo não é um PDF.' } as const;
      expect(await attach(`${command}-image`, { outcome: 'invalid', evidence: 'none', reason })).toMatchObject({
        outcome: 'invalid',
        reason: { code: 'NOT_PDF', field: 'pdf' },
        attempts: 0,
      });
      expect(app.platform.callsOf(number, 'register')).toEqual([]);
      expect(app.platform.callsOf(number, 'status')).toEqual([]);
    },
  );

  it.each([
    [600_016, 'https://files.example.com/1.pdf', []],
    [600_017, null, [{ code: 'PDF_UNCONFIRMED', field: 'pdf' }]],
  ])('reads the PDF of a silent upload from the payload of an order that became 350 (%i, rule 15)', async (...row) => {
    const [number, invoiceUrl, warnings] = row;
    await paid(number);
    app.platform.on.payload = () => ({ status: 200, json: { orderInvoiced: { number: '000123' }, invoiceUrl } });
    await registerChecked(number);
    await app.pdfCommands(number, 1);
    await invoiced(number);
    await app.stored(number, 2);
    await app.pdfResult(`i-${number}`, { outcome: 'unconfirmed', evidence: 'none' });
    expect((await app.resultOf(`i-${number}`)).value).toMatchObject({
      outcome: 'applied',
      evidence: 'event',
      warnings,
    });
    expect(app.platform.callsOf(number, 'payload')).toHaveLength(1);
    expect(app.platform.callsOf(number, 'status')).toEqual([]);
  });

  it('AttachInvoicePdf ends with its upload, and without a PATCH, where no invoice is registered (rule 15)', async () => {
    await paid(600_018);
    app.platform.on.payload = () => UNREGISTERED;
    const command = { commandId: 'attach-18', command: 'AttachInvoicePdf', orderNumber: 600_018 };
    await app.command({ ...command, pdf: { uploadId: 'u-2' } });
    await app.pdfCommands(600_018, 1);
    await app.pdfResult('attach-18', { outcome: 'applied' });
    expect((await app.resultOf('attach-18')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      warnings: [{ code: 'REGISTRATION_MISSING' }],
    });
    expect(app.platform.callsOf(600_018, 'status')).toEqual([]);
  });

  it('of a second invoice ends applied where the shop has it in place of the first, and names it (rules 14, 15)', async () => {
    const registered: { number: string; issuanceDate: string; value: number }[] = [];
    app.platform.on.register = ({ body }) => {
      registered.push(JSON.parse(body) as (typeof registered)[number]);
      return accepted;
    };
    app.platform.on.payload = () => ({ status: 200, json: { orderInvoiced: shownOf(registered.at(-1)) } });
    await paid(600_019);
    await registerChecked(600_019);
    await app.pdfCommands(600_019, 1);
    await invoiced(600_019);
    await app.pdfResult('i-600019', { outcome: 'applied' });
    await app.resultOf('i-600019');
    await register(600_019, { commandId: 'second', number: '000124', pdf: { uploadId: 'u-2' } });
    await app.pdfChecked(600_019, 'second');
    await app.pdfCommands(600_019, 2);
    await app.pdfResult('second', { outcome: 'applied' });
    expect((await app.resultOf('second')).value).toMatchObject({
      outcome: 'applied',
      warnings: [],
      data: { invoice: { number: '000124' } },
    });
    expect(registered.map(({ number }) => number)).toEqual(['000123', '000124']);
    expect(app.platform.callsOf(600_019, 'status')).toEqual([]);
    expect(app.events(600_019)).toHaveLength(1);
  });

  it('is refused by an Operation_Failed of its transaction (rule 5)', async () => {
    await paid(600010);
    await registerChecked(600010);
    await app.pdfCommands(600010, 1);
    const error = '{"statusCode":422,"message":"no"}';
    await app.notify({
      eventType: 'Operation_Failed',
      operationId: TRANSACTION,
      data: '{"number":600010}',
      error,
    });
    expect((await app.resultOf('i-600010')).value).toMatchObject({ outcome: 'refused', platform: { statusCode: 422 } });
  });
});

/** The registered invoice as a payload shows it: local time, money in currency units. */
function shownOf(invoice: { number: string; issuanceDate: string; value: number } | undefined) {
  if (invoice === undefined) return null;
  const { number, issuanceDate, value } = invoice;
  const local = new Date(Date.parse(issuanceDate) - 3 * 3_600_000).toISOString().slice(0, -1);
  return { number, issuanceDate: local, value: value / 100 };
}
