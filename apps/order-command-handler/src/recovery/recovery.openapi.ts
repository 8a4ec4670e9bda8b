import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';

const TIME = { type: ['string', 'null'], format: 'date-time' };
const RUN = { $ref: '#/components/schemas/Recovery' };
const json = (schema: object): object => ({ description: 'OK', content: { 'application/json': { schema } } });
const ERROR = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** The routes of the recovery in `/api/openapi.json`. */
export const recoveryOpenApi: OpenApiPart = {
  paths: {
    '/api/recoveries': {
      get: {
        summary: 'The latest runs that look for lost orders, newest first',
        parameters: [{ name: 'tenant', in: 'query', schema: { type: 'string' } }],
        responses: {
          '200': json({ type: 'object', properties: { entries: { type: 'array', items: RUN } } }),
          '400': ERROR,
        },
      },
      post: {
        summary: 'Looks for the orders of a range of numbers that no notification named',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['from', 'to'],
                additionalProperties: false,
                properties: {
                  tenant: { type: 'string', description: 'Needed with several tenants' },
                  from: { type: 'integer', minimum: 1 },
                  to: { type: 'integer', minimum: 1, description: 'Inclusive; 100,000 numbers at most' },
                },
              },
            },
          },
        },
        responses: { '202': json(RUN), '400': ERROR },
      },
    },
    '/api/recoveries/{id}': {
      get: {
        summary: 'A run: how far it is, how fast, and its estimated end',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { '200': json(RUN), '404': ERROR },
      },
    },
  },
  schemas: {
    Recovery: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        tenant: { type: 'string' },
        source: { enum: ['operator', 'scan'] },
        from: { type: 'integer' },
        to: { type: 'integer' },
        candidates: { type: 'integer', description: 'Numbers of the range that no notification named' },
        found: { type: 'integer' },
        known: { type: 'integer', description: 'Named by a notification meanwhile' },
        givenUp: { type: 'integer', description: 'Unknown to the platform as often as they were read' },
        open: { type: 'integer' },
        due: { type: 'integer', description: 'Open, and not waiting to be read again' },
        lookups: { type: 'integer' },
        perMinute: { type: ['number', 'null'] },
        startedAt: TIME,
        finishedAt: TIME,
        estimatedEndAt: TIME,
      },
    },
  },
};
