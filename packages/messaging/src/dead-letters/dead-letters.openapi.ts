import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';

const ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Percent-encoded: it has slashes',
  schema: { type: 'string' },
};

const LENGTH = { type: ['integer', 'null'], description: 'null where the record has none' };

/** The routes of `DeadLettersController`, for an app's `/api/openapi.json`. */
export const deadLettersOpenApi: OpenApiPart = {
  paths: {
    '/api/dead-letters': {
      get: {
        summary: 'Records that could not be handled, the newest first',
        parameters: [
          query('topic', 'A topic of the catalog, without its prefix', { type: 'string' }),
          query('before', 'Only older ones than the dead letter of this id', { type: 'string' }),
          query('limit', 'At most so many; 50 without it', { type: 'integer', minimum: 1, maximum: 200 }),
        ],
        responses: { '200': json('A page', ref('DeadLetterPage')), '400': json('Unknown topic', ref('Error')) },
      },
    },
    '/api/dead-letters/{id}': {
      parameters: [ID],
      get: {
        summary: 'One of them; key, value and values of headers only if asked for, since they may be personal',
        parameters: [query('body', 'Whether the content is wanted', { type: 'boolean', default: false })],
        responses: { '200': json('The record', ref('DeadLetter')), '404': json('No such dead letter', ref('Error')) },
      },
    },
    '/api/dead-letters/{id}/redrive': {
      parameters: [ID],
      post: {
        summary: 'Sends the original record to its topic again, for this app alone',
        responses: {
          '202': json('It will be sent', ref('Redriven')),
          '404': json('No such dead letter', ref('Error')),
          '409': json('It is a batch that could not be read, and no record', ref('Error')),
        },
      },
    },
  },
  schemas: {
    DeadLetterSummary: record({
      id: { type: 'string', description: '<group>/<topic>/<partition>/<offset>' },
      group: { type: 'string' },
      topic: { type: 'string' },
      partition: { type: 'integer' },
      offset: { type: 'string' },
      tenant: { type: ['string', 'null'] },
      code: { type: 'string' },
      reason: { type: 'string' },
      deadAt: { type: 'string', format: 'date-time' },
      redriven: { type: 'integer', description: 'How often it was sent back' },
      redrivenAt: { type: ['string', 'null'], format: 'date-time' },
    }),
    DeadLetterPage: record({
      deadLetters: { type: 'array', items: ref('DeadLetterSummary') },
      next: { type: ['string', 'null'], description: 'To be given as `before` for the next page' },
    }),
    DeadLetter: {
      allOf: [
        ref('DeadLetterSummary'),
        record({
          keyBytes: LENGTH,
          valueBytes: LENGTH,
          headers: {
            type: 'array',
            items: {
              ...record({ name: { type: 'string' }, bytes: LENGTH }),
              properties: { name: { type: 'string' }, bytes: LENGTH, value: nullable('Bytes') },
            },
          },
        }),
        { type: 'object', properties: { key: nullable('Bytes'), value: nullable('Bytes') } },
      ],
    },
    Bytes: record({
      base64: { type: 'string' },
      text: { type: ['string', 'null'], description: 'Where they are UTF-8' },
    }),
    Redriven: record({ id: { type: 'string' }, redriven: { type: 'integer' } }),
  },
};

function query(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema };
}

function record(properties: Record<string, object>): object {
  return { type: 'object', required: Object.keys(properties), properties };
}

function nullable(name: string): object {
  return { anyOf: [ref(name), { type: 'null' }] };
}

function json(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
