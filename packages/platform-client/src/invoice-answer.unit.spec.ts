import { describe, expect, it } from '@jest/globals';
import type { Exchange, ReceivedBody } from './exchange.ts';
import { readInvoiceAnswer } from './invoice-answer.ts';
import { DEFAULT_WIRE_PROFILE, wireProfileSchema } from './wire-profile.ts';

const URL_TEXT = 'https://files.example.com/8812.pdf';

function answered(status: number, body: string | ReceivedBody, contentType?: string): Exchange {
  const received = typeof body === 'string' ? ({ kind: 'text', text: body } as const) : body;
  return { phase: 'answered', status, retryAfter: undefined, contentType, body: received };
}
const read = (end: Exchange, profile = DEFAULT_WIRE_PROFILE) => readInvoiceAnswer(end, 750, profile);

describe("the file of an order's invoice", () => {
  it.each(['', ' ', 'null', '""', '[]', '{ }'])('is not there after a 200 that says %j (rule 15)', (body) => {
    expect(read(answered(200, body))).toEqual({ kind: 'not-found' });
  });

  it('is not there after a 404 or a 204', () => {
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
  ])('is there after a 200 that holds %s (rule 15)', (_, body, urls) => {
    expect(read(answered(200, body, 'application/json'))).toMatchObject({
      kind: 'found',
      value: { mediaType: 'application/json', urls },
    });
  });

  it.each<[string, string | ReceivedBody]>([
    ['as text', '%PDF-1.7 …'],
    ['as bytes, or too large', { kind: 'unreadable' }],
  ])('is there when it is the answer itself, %s', (_, body) => {
    const value = { mediaType: 'application/pdf', answer: null, urls: [] };
    expect(read(answered(200, body, 'application/pdf'))).toEqual({ kind: 'found', value });
  });

  it.each<[string, Exchange, object]>([
    ['a page of a proxy', answered(200, '<html>'), { kind: 'unavailable', cause: 'unreadable' }],
    ['half an answer', answered(200, { kind: 'lost', loss: 'timeout' }), { kind: 'unavailable', cause: 'timeout' }],
    ['500', answered(500, ''), { kind: 'unavailable', cause: 'server-error' }],
    ['400', answered(400, 'nope'), { kind: 'refused', status: 400 }],
  ])('is not known after %s', (_, end, expected) => {
    expect(read(end)).toMatchObject(expected);
  });

  it('is read as the profile says', () => {
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
