import { describe, expect, it } from '@jest/globals';
import { answerCheck, type GivenAnswer } from './answer-check.ts';

const order = { type: 'object', required: ['at'], properties: { at: { type: 'string', format: 'date-time' } } };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const check = answerCheck({
  components: { schemas: { Order: order, Error: { type: 'object', required: ['error'] } } },
  paths: {
    '/api/orders/{number}': {
      get: {
        responses: {
          200: json({ $ref: '#/components/schemas/Order' }),
          '4XX': json({ $ref: '#/components/schemas/Error' }),
        },
      },
      delete: { responses: { 204: {} } },
      post: { responses: { default: { content: { '*/*': { schema: {} } } } } },
    },
  },
});

const GET: GivenAnswer = {
  method: 'GET',
  route: '/api/orders/:number',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: '{"at":"2026-11-26T08:00:00.123Z"}',
};

describe('an answer', () => {
  it.each([
    ['as the document has it', {}],
    ['whose body was not read', { body: null }],
    ['of a range of statuses', { status: 404, body: '{"error":{}}' }],
    ['of any type and status', { method: 'POST', contentType: 'image/png', body: null }],
    ['without a body', { method: 'DELETE', status: 204, contentType: undefined, body: '' }],
    ['to a method that is not there', { method: 'PUT', status: 404 }],
    ['to a method that the path does not take', { method: 'PUT', status: 405 }],
  ])('%s is right', (_which, change: Partial<GivenAnswer>) => {
    expect(check({ ...GET, ...change })).toEqual([]);
  });

  it.each([
    ['a time without its offset', { body: '{"at":"2026-11-26T08:00:00"}' }, /200: \/at must match format "date-time"/],
    ['a missing field', { body: '{}' }, /GET \/api\/orders\/:number 200: \/ must have required property 'at'/],
    ['another error', { status: 400, body: '{}' }, /400: \/ must have required property 'error'/],
    ['another status', { status: 503 }, /503: the document has no such status, only 200, 4XX/],
    ['another content type', { contentType: 'text/html' }, /it is text\/html, and the document has application\/json/],
    ['a body for none', { method: 'DELETE', status: 204 }, /it has a body, and the document none/],
    ['a body that is no JSON', { body: '{' }, /its body is no JSON/],
    ['another route', { route: '/api/ordres' }, /the document has no such route/],
    ['a method that is there by mistake', { method: 'PUT' }, /the document has no such method/],
  ])('with %s is told with route, status and reason', (_which, change: Partial<GivenAnswer>, reason) => {
    expect(check({ ...GET, ...change })).toEqual([expect.stringMatching(reason)]);
  });
});
