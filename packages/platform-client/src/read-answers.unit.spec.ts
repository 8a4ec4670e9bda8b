import * as fc from 'fast-check';
import { parseWithDigits, type JsonRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { readFinalPrice, showsInvoiceFile, shownInvoices, readOrderStatus, readInvoiceAnswer } from './read-answers.ts';
import { describe, expect, it } from '@jest/globals';
import type { Exchange, ReceivedBody } from './exchange.ts';
import { DEFAULT_WIRE_PROFILE, wireProfileSchema } from './wire-profile.ts';

const URL_TEXT = 'https://files.example.com/8812.pdf';

function answered(status: number, body: string | ReceivedBody, contentType?: string): Exchange {
  const received = typeof body === 'string' ? ({ kind: 'text', text: body } as const) : body;
  return { phase: 'answered', status, retryAfter: undefined, contentType, body: received };
}
const read = (end: Exchange, profile = DEFAULT_WIRE_PROFILE) => readInvoiceAnswer(end, 750, profile);

describe("the file of an order's invoice", () => {
  it.each(['', ' ', 'null', '""', '[]', '{ }'])('is missing after a 200 with the body %j (rule 15)', (body) => {
    expect(read(answered(200, body))).toEqual({ kind: 'not-found' });
  });

  it('is missing after a 404 or a 204', () => {
    expect(read(answered(404, 'nope'))).toEqual({ kind: 'not-found' });
    expect(read(answered(204, ''))).toEqual({ kind: 'not-found' });
  });

  it.each<[string, string, string[]]>([
    ['an address', JSON.stringify(URL_TEXT), [URL_TEXT]],
    ['an address without quotes', URL_TEXT, [URL_TEXT]],
    ['a list of addresses', JSON.stringify([URL_TEXT]), [URL_TEXT]],
    ['an object with one', JSON.stringify({ id: 1, url: URL_TEXT }), [URL_TEXT]],
    ['an object without one', '{"id":1}', []],
    ['an object whose address is none', '{"url":"javascript:x"}', []],
  ])('exists after a 200 with %s (rule 15)', (_, body, urls) => {
    expect(read(answered(200, body, 'application/json'))).toMatchObject({
      kind: 'found',
      value: { mediaType: 'application/json', urls },
    });
  });

  it.each<[string, string | ReceivedBody]>([
    ['as text', '%PDF-1.7 …'],
    ['as bytes, or too large', { kind: 'unreadable' }],
  ])('exists if the answer is the file, %s', (_, body) => {
    const value = { mediaType: 'application/pdf', answer: null, urls: [] };
    expect(read(answered(200, body, 'application/pdf'))).toEqual({ kind: 'found', value });
  });

  it.each<[string, Exchange, object]>([
    ['a page of a proxy', answered(200, '<html>'), { kind: 'unavailable', cause: 'unreadable' }],
    ['half an answer', answered(200, { kind: 'lost', loss: 'timeout' }), { kind: 'unavailable', cause: 'timeout' }],
    ['500', answered(500, ''), { kind: 'unavailable', cause: 'server-error' }],
    ['400', answered(400, 'nope'), { kind: 'refused', status: 400 }],
  ])('is unknown after %s', (_, end, expected) => {
    expect(read(end)).toMatchObject(expected);
  });

  it('is read by the wire profile', () => {
    const profile = wireProfileSchema.parse({
      invoiceAbsentAnswers: [{ found: false }],
      invoiceUrlPaths: ['file.href'],
    });
    expect(read(answered(200, '{"found":false}'), profile)).toEqual({ kind: 'not-found' });
    expect(read(answered(200, `{"file":{"href":"${URL_TEXT}"}}`), profile)).toMatchObject({
      value: { urls: [URL_TEXT] },
    });
  });
});

const PATHS = DEFAULT_WIRE_PROFILE.orderStatusPaths;

describe('the answer of GET status', () => {
  it.each([
    ['a bare number', '350', 350],
    ['a bare text of digits', '"350"', 350],
    ['a bare name', '"ORDER_INVOICED"', 350],
    ['a name without quotes', 'ORDER_BEING_PREPARED\n', 400],
    ['status', '{"orderNumber":7,"status":400}', 400],
    ['status as a name', '{"status":"SHIPPED"}', 600],
    ['code', '{"code":"700"}', 700],
    ['data.status', '{"success":true,"data":{"status":350}}', 350],
    ['the first that holds a status', '{"status":"ok","code":0,"data":{"status":800}}', 800],
    ['status before code', '{"code":500,"status":400}', 400],
    ['a code the document does not name', '{"status":425}', 425],
  ])('is read from %s', (_, body, expected) => {
    expect(readOrderStatus(body, PATHS)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html>350</html>'],
    ['null', 'null'],
    ['a list', '[350]'],
    ['a fraction', '3.5'],
    ['a negative', '{"status":-1}'],
    ['zero', '0'],
    ['an unknown name', '"IN_THE_CART"'],
    ['an object elsewhere', '{"order":{"status":350}}'],
    ['data null', '{"data":null}'],
    ['an endless number', '{"status":99999999999999999999}'],
    ['inherited names', '{"data":"text"}'],
  ])('is not guessed from %s', (_, body) => {
    expect(readOrderStatus(body, PATHS)).toBeUndefined();
  });

  it('is read only at the path of the tenant’s profile', () => {
    expect(readOrderStatus('{"status":1,"order":{"state":{"id":400}}}', ['order.state.id'])).toBe(400);
    expect(readOrderStatus('{"status":400}', ['order.state.id'])).toBeUndefined();
    expect(readOrderStatus('{"constructor":{}}', ['constructor.length', '__proto__.x'])).toBeUndefined();
  });

  it('any body gives a positive integer or undefined, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        const status = readOrderStatus(body, PATHS);
        expect(status === undefined || (Number.isSafeInteger(status) && status > 0)).toBe(true);
      }),
    );
  });
});

describe('the reader of an order’s payload:', () => {
  it.each<[string, JsonRecord, boolean]>([
    ['null', { orderInvoiced: null }, false],
    ['absent', {}, false],
    ['an object', { orderInvoiced: {} }, true],
    ['a text', { orderInvoiced: '8812' }, true],
    ['true', { orderInvoiced: true }, true],
    ['false', { orderInvoiced: false }, false],
    ['an empty list', { orderInvoiced: [] }, false],
    ['a zeroed block', { orderInvoiced: { number: null, issuanceDate: '0001-01-01T00:00:00', value: 0 } }, false],
  ])('an invoice is registered or not: %s (rule 15)', (_, payload, expected) => {
    expect(shownInvoices(DEFAULT_WIRE_PROFILE, payload).length > 0).toBe(expected);
  });

  it.each<[string, JsonValue, unknown]>([
    [
      'as it was registered',
      { number: '4501', issuanceDate: '2026-11-20T10:15:00.0000000', value: 62.75 },
      [{ number: '4501', issuedAt: '2026-11-20T10:15:00.0000000', value: '62.75' }],
    ],
    ['in JSON numbers', { number: 4501, value: 6275 }, [{ number: '4501', issuedAt: null, value: '6275.00' }]],
    ['without a number', { url: 'x' }, [{ number: null, issuedAt: null, value: null }]],
    ['as a text', '4501', [{ number: null, issuedAt: null, value: null }]],
    [
      'as a list',
      [{ number: '4501' }, null, { number: '4502' }],
      [
        { number: '4501', issuedAt: null, value: null },
        { number: '4502', issuedAt: null, value: null },
      ],
    ],
  ])('a registered invoice is shown %s (rule 15)', (_, orderInvoiced, expected) => {
    expect(shownInvoices(DEFAULT_WIRE_PROFILE, { orderInvoiced })).toEqual(expected);
  });

  it.each<[string, JsonRecord, boolean]>([
    ['null', { invoiceUrl: null, orderInvoiced: {} }, false],
    ['absent', {}, false],
    ['a text', { invoiceUrl: URL_TEXT }, true],
  ])('an invoice has its PDF or not: %s (rule 15)', (_, payload, expected) => {
    expect(showsInvoiceFile(DEFAULT_WIRE_PROFILE, payload)).toBe(expected);
  });

  it.each<[string, string, string | null]>([
    ['the accepted total', '{"acceptedOrderDetails":{"total":187.40},"subtotal":{"total":1}}', '187.40'],
    ['else the subtotal', '{"acceptedOrderDetails":null,"subtotal":{"total":187.4}}', '187.40'],
    ['zero beside other amounts', '{"acceptedOrderDetails":{"subtotal":5,"total":0},"subtotal":{"total":1}}', '0.00'],
    ['not that of a zeroed block', '{"acceptedOrderDetails":{"frete":0,"total":0.00},"subtotal":{"total":1}}', '1.00'],
    ['zero where there is no other', '{"acceptedOrderDetails":{"total":0},"subtotal":{"total":null}}', '0.00'],
    ['nothing where there is none', '{"subtotal":{"total":null}}', null],
  ])('the final price is %s (rule 14)', (_, text, expected) => {
    expect(readFinalPrice(DEFAULT_WIRE_PROFILE, parseWithDigits(text) as JsonRecord)).toBe(expected);
  });

  it('the profile moves every field', () => {
    const paths = { registrationPath: 'invoice.id', invoiceFilePath: 'invoice.pdf' };
    const profile = wireProfileSchema.parse({ ...paths, finalPricePaths: ['totals.charged'] });
    const payload = { invoice: { id: 7, pdf: URL_TEXT }, totals: { charged: '12.45' } };
    expect(showsInvoiceFile(profile, payload)).toBe(true);
    expect(shownInvoices(profile, payload)).toHaveLength(1);
    expect(readFinalPrice(profile, payload)).toBe('12.45');
  });
});
