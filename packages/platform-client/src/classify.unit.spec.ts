import { anyCharacter } from '@gondola/shared/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { classifyMutation, classifyRead, classifyWebhook, evidenceOf } from './classify.ts';
import type { Exchange, Loss, ReceivedBody } from './exchange.ts';

const GUID = '2f6d5b0e-9a53-4c6b-8f0e-6d0a4b1c2d3e';
const WAIT_MS = 750;
const CALL = { about: '/v1/Orders/7' };
const NOW = Date.UTC(2026, 10, 20, 13, 15, 0);

const text = (value: string): ReceivedBody => ({ kind: 'text', text: value });
const answered = (status: number, body: ReceivedBody = text(''), retryAfter?: string): Exchange => ({
  phase: 'answered',
  status,
  retryAfter,
  contentType: undefined,
  body,
});
const lostBody = (loss: Loss): ReceivedBody => ({ kind: 'lost', loss });
const mutation = (end: Exchange) => classifyMutation(end, WAIT_MS);
const registration = (end: Exchange) => classifyMutation(end, WAIT_MS, 'transactionId');
const read = (end: Exchange) => classifyRead(end, WAIT_MS, (value) => (value === 'good' ? value : undefined));

describe('a call that changes something', () => {
  it.each<[string, string, string]>([
    ['a bare JSON string, as the product route answers', JSON.stringify(GUID), GUID],
    ['an object with operationId, as the others answer', JSON.stringify({ operationId: GUID, extra: 1 }), GUID],
    ['upper case', JSON.stringify(GUID.toUpperCase()), GUID.toUpperCase()],
  ])('is accepted by a 200 whose body is %s (rule 25)', (_, body, operationId) => {
    expect(mutation(answered(200, text(body)))).toEqual({ kind: 'accepted', operationId });
  });

  it.each<[string, string]>([
    ['an empty body', ''],
    ['a page of HTML', '<html>ok</html>'],
    ['a text that is no GUID', '"OK"'],
    ['operationId null', '{"operationId":null}'],
    ['operationId a number', '{"operationId":7}'],
    ['an inherited name', '{"__proto__":{"operationId":"x"}}'],
    ['null', 'null'],
    ['a list', `["${GUID}"]`],
  ])('is lost behind a 200 whose body is %s, where the document gives the operation (rule 25)', (_, body) => {
    const lost = { kind: 'unknown', cause: 'unreadable', status: 200, message: body };
    expect(mutation(answered(200, text(body)))).toEqual(lost);
  });

  it.each<[string, ReceivedBody, string]>([
    ['is too large or no text', { kind: 'unreadable' }, 'unreadable'],
    ['times out', lostBody('timeout'), 'timeout'],
    ['breaks off', lostBody('dropped'), 'dropped'],
    ['is given up', lostBody('given-up'), 'dropped'],
  ])('is lost if the body of the 200 %s, whatever the document gives (rule 16)', (_, body, cause) => {
    for (const form of ['operationId', 'transactionId', 'not-shown'] as const) {
      const answer = classifyMutation(answered(200, body), WAIT_MS, form);
      expect(answer).toMatchObject({ kind: 'unknown', cause, status: 200 });
    }
  });

  it.each([201, 202, 204, 299])('is accepted by any success where the document shows no answer: %i', (status) => {
    const answer = classifyMutation(answered(status), WAIT_MS, 'not-shown');
    expect(answer).toEqual({ kind: 'accepted', operationId: null });
  });

  it.each<[string, string, boolean]>([
    ['transactionId', JSON.stringify({ transactionId: GUID }), true],
    ['a bare text', JSON.stringify(GUID), true],
    ['another id', JSON.stringify({ operationId: GUID }), false],
    ['nothing', '', false],
  ])('that registers an invoice is answered with %s (rule 25)', (_, body, isAccepted) => {
    const accepted = { kind: 'accepted', operationId: GUID };
    const lost = { kind: 'unknown', cause: 'unreadable' };
    expect(registration(answered(200, text(body)))).toMatchObject(isAccepted ? accepted : lost);
  });

  it('that registers an invoice is refused, unknown or unavailable like any other', () => {
    for (const end of [answered(400), answered(500), answered(401), answered(204, lostBody('timeout'))]) {
      expect(registration(end)).toEqual(mutation(end));
    }
  });

  it.each([400, 402, 404, 405, 409, 413, 415, 422, 499])('is refused by %i, with the platform’s message', (status) => {
    const answer = mutation(answered(status, text('Apenas arquivos PDF são permitidos')));
    expect(answer).toEqual({ kind: 'refused', status, message: 'Apenas arquivos PDF são permitidos' });
  });

  it.each<[string, Exchange, string]>([
    ['401', answered(401), 'credentials'],
    ['403', answered(403), 'credentials'],
    ['429', answered(429), 'throttled'],
    ['no connection', { phase: 'not-sent', loss: 'dropped' }, 'connection-refused'],
    ['a connection that does not come about in time', { phase: 'not-sent', loss: 'timeout' }, 'connection-refused'],
    ['being given up before it was sent', { phase: 'not-sent', loss: 'given-up' }, 'paused'],
  ])('cannot have reached the queue after %s (rules 16, 17)', (_, end, cause) => {
    expect(mutation(end)).toEqual({ kind: 'unavailable', cause, retryAfterMs: WAIT_MS });
  });

  it.each<[string, Exchange, object]>([
    ['a time-out', { phase: 'no-answer', loss: 'timeout' }, { cause: 'timeout' }],
    ['a dropped connection', { phase: 'no-answer', loss: 'dropped' }, { cause: 'dropped' }],
    ['being given up under way', { phase: 'no-answer', loss: 'given-up' }, { cause: 'dropped' }],
    ['408', answered(408), { cause: 'timeout', status: 408, message: '' }],
    ['500', answered(500, text('boom')), { cause: 'server-error', status: 500, message: 'boom' }],
    ['503', answered(503), { cause: 'server-error', status: 503, message: '' }],
    ['500 without its body', answered(500, lostBody('dropped')), { cause: 'server-error', status: 500, message: '' }],
    ['a redirect', answered(302), { cause: 'server-error', status: 302, message: '' }],
  ])('may have been applied after %s (rule 16)', (_, end, rest) => {
    expect(mutation(end)).toEqual({ kind: 'unknown', ...rest });
  });
});

describe('the registration of the webhook', () => {
  it.each<[string, string, string]>([
    ['an id', '{"id":"wh-1","url":"https://erp.example.com/"}', 'wh-1'],
    ['a number', '{"id":7}', '7'],
  ])('is done by a 200 with %s (rule 37)', (_, body, id) => {
    expect(classifyWebhook(answered(200, text(body)), WAIT_MS)).toEqual({ kind: 'registered', id });
  });

  it.each<[string, string]>([
    ['an id longer than any', JSON.stringify({ id: 'x'.repeat(101) })],
    ['an id that is none', '{"id":{}}'],
    ['a page', '<html>'],
    ['nothing', ''],
  ])('is unknown after a 200 with %s (rule 37)', (_, body) => {
    expect(classifyWebhook(answered(200, text(body)), WAIT_MS)).toMatchObject({ kind: 'unknown', cause: 'unreadable' });
  });

  it('finds one that exists by a 409, which is no refusal (rule 37)', () => {
    expect(classifyWebhook(answered(409, text('exists')), WAIT_MS)).toEqual({ kind: 'exists' });
  });

  it('is refused, unknown or unavailable like any other call', () => {
    for (const end of [answered(400), answered(500), answered(401), answered(302)]) {
      expect(classifyWebhook(end, WAIT_MS)).toEqual(mutation(end));
    }
  });
});

describe('a call that only reads', () => {
  it('returns the answer of the route', () => {
    expect(read(answered(200, text('good')))).toEqual({ kind: 'found', value: 'good' });
  });

  it.each([
    ['Fri, 20 Nov 2026 13:15:07 GMT', { platformMs: Date.UTC(2026, 10, 20, 13, 15, 7) }],
    ['2026-11-20T13:15:07', {}],
    ['yesterday', {}],
    ['Fri, 99 Nov 2026 13:15:07 GMT', {}],
  ])("has the platform's clock from the header Date %s", (date, clock) => {
    const end = { ...answered(200, text('good')), date } as Exchange;
    expect(read(end)).toEqual({ kind: 'found', value: 'good', ...clock });
  });

  it('tells 404 from every other refusal', () => {
    expect(read(answered(404, text('nope')))).toEqual({ kind: 'not-found' });
    expect(read(answered(400, text('nope')))).toEqual({ kind: 'refused', status: 400, message: 'nope' });
  });

  it.each<[string, Exchange, string]>([
    ['a body that is not what the route answers', answered(200, text('<html>')), 'unreadable'],
    ['a body that is too large or no text', answered(200, { kind: 'unreadable' }), 'unreadable'],
    ['a body that times out', answered(200, lostBody('timeout')), 'timeout'],
    ['a body that breaks off', answered(200, lostBody('dropped')), 'dropped'],
    ['401', answered(401), 'credentials'],
    ['403', answered(403), 'credentials'],
    ['429', answered(429), 'throttled'],
    ['408', answered(408), 'timeout'],
    ['500', answered(500), 'server-error'],
    ['a redirect', answered(307), 'server-error'],
    ['a time-out', { phase: 'no-answer', loss: 'timeout' }, 'timeout'],
    ['a dropped connection', { phase: 'no-answer', loss: 'dropped' }, 'dropped'],
    ['no connection', { phase: 'not-sent', loss: 'dropped' }, 'connection-refused'],
  ])('is unavailable after %s', (_, end, cause) => {
    expect(read(end)).toEqual({ kind: 'unavailable', cause, retryAfterMs: WAIT_MS });
  });
});

describe('the evidence about the platform', () => {
  it.each<[string, Exchange, object]>([
    ['200', answered(200), { kind: 'answered' }],
    ['200 with a body too large', answered(200, { kind: 'unreadable' }), { kind: 'answered' }],
    ['200 whose body times out', answered(200, lostBody('timeout')), { kind: 'failed', ...CALL }],
    ['200 given up', answered(200, lostBody('given-up')), { kind: 'nothing' }],
    ['400', answered(400), { kind: 'answered' }],
    ['404', answered(404), { kind: 'answered' }],
    ['401', answered(401), { kind: 'credentials' }],
    ['403 with Retry-After', answered(403, text(''), '9'), { kind: 'credentials' }],
    ['429', answered(429), { kind: 'throttled', retryAfterMs: null }],
    ['429 with seconds', answered(429, text(''), '9'), { kind: 'throttled', retryAfterMs: 9_000 }],
    [
      '429 with a date',
      answered(429, text(''), 'Fri, 20 Nov 2026 13:16:00 GMT'),
      { kind: 'throttled', retryAfterMs: 60_000 },
    ],
    ['503 with Retry-After', answered(503, text(''), '9'), { kind: 'throttled', retryAfterMs: 9_000 }],
    ['503', answered(503), { kind: 'failed', ...CALL }],
    ['500', answered(500), { kind: 'failed', ...CALL }],
    ['408', answered(408), { kind: 'failed', ...CALL }],
    ['a redirect', answered(301), { kind: 'failed', ...CALL }],
    ['no connection', { phase: 'not-sent', loss: 'dropped' }, { kind: 'failed', about: null }],
    ['a time-out', { phase: 'no-answer', loss: 'timeout' }, { kind: 'failed', ...CALL }],
    ['being given up', { phase: 'no-answer', loss: 'given-up' }, { kind: 'nothing' }],
  ])('from %s', (_, end, expected) => {
    expect(evidenceOf(end, NOW, CALL).evidence).toEqual(expected);
  });

  it('from a 200 that is not the answer of its route: the route fails (guarantee 5)', () => {
    for (const end of [answered(200, text('<html>')), answered(204)]) {
      const shown = evidenceOf(end, NOW, CALL, mutation(end));
      expect(shown).toEqual({ scope: 'route', evidence: { kind: 'failed', ...CALL } });
    }
  });

  it.each<[string, Exchange, object]>([
    ['500', answered(500), { kind: 'nothing' }],
    ['500 without its body', answered(500, lostBody('timeout')), { kind: 'nothing' }],
    ['500 with Retry-After', answered(500, text(''), '9'), { kind: 'throttled', retryAfterMs: 9_000 }],
    ['502', answered(502), { kind: 'failed', ...CALL }],
    ['a time-out', { phase: 'no-answer', loss: 'timeout' }, { kind: 'failed', ...CALL }],
  ])('from %s on a route that documents 500 (rule 17)', (_, end, expected) => {
    expect(evidenceOf(end, NOW, { ...CALL, answers500: true }).evidence).toEqual(expected);
  });

  it.each<[string, Exchange, string]>([
    ['401', answered(401), 'tenant'],
    ['403', answered(403), 'tenant'],
    ['429', answered(429, text(''), '9'), 'tenant'],
    ['no connection', { phase: 'not-sent', loss: 'dropped' }, 'tenant'],
    ['503', answered(503), 'route'],
    ['503 with Retry-After', answered(503, text(''), '9'), 'route'],
    ['a redirect', answered(301), 'route'],
    ['a time-out', { phase: 'no-answer', loss: 'timeout' }, 'route'],
    ['a cut connection', { phase: 'no-answer', loss: 'dropped' }, 'route'],
  ])('from %s concerns the %s that it tells about (guarantee 5)', (_, end, scope) => {
    expect(evidenceOf(end, NOW, CALL).scope).toBe(scope);
  });
});

const loss = fc.constantFrom<Loss>('timeout', 'dropped', 'given-up');
const anyExchange: fc.Arbitrary<Exchange> = fc.oneof(
  fc.record({ phase: fc.constantFrom('not-sent' as const, 'no-answer' as const), loss }),
  fc.record({
    phase: fc.constant('answered' as const),
    status: fc.integer({ min: 200, max: 999 }),
    retryAfter: fc.option(fc.string(), { nil: undefined }),
    contentType: fc.constant(undefined),
    body: fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 3_000 }).map(text),
      fc.json().map(text),
      fc.constant<ReceivedBody>({ kind: 'unreadable' }),
      loss.map(lostBody),
    ),
  }),
);

describe('for any exchange', () => {
  it('there is a result, which is "nothing reached the queue" only if that is certain (rule 16)', () => {
    fc.assert(
      fc.property(anyExchange, (end) => {
        const certain = end.phase === 'not-sent' || (end.phase === 'answered' && [401, 403, 429].includes(end.status));
        expect(mutation(end).kind === 'unavailable').toBe(certain);
        expect(read(end).kind).toEqual(expect.any(String));
        expect(evidenceOf(end, NOW, CALL).evidence.kind).toEqual(expect.any(String));
      }),
    );
  });

  it.each([
    ['a long one is cut', 'x'.repeat(5_000), 'x'.repeat(1_000)],
    ['a cut does not leave half a character', `${'x'.repeat(999)}🧀`, `${'x'.repeat(999)}\uFFFD`],
    ['NUL is left out', 'a\u0000b', 'ab'],
  ])('of messages, %s', (_, body, message) => {
    expect(mutation(answered(400, text(body)))).toEqual({ kind: 'refused', status: 400, message });
  });

  it('a message fits a text column: short, without NUL, without half a character', () => {
    fc.assert(
      fc.property(anyExchange, (end) => {
        const answer = mutation(end);
        const message = 'message' in answer ? (answer.message ?? '') : '';
        expect(message.length).toBeLessThanOrEqual(1_000);
        expect(message.includes('\u0000')).toBe(false);
        expect(message.isWellFormed()).toBe(true);
      }),
    );
  });
});
