import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { CATALOG_TOPICS } from '../records/catalog-kinds.ts';

const ERROR = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const TEXTS = { type: 'array', items: { type: 'string' } };
const VERSION = { type: ['string', 'null'], description: 'The highest sourceVersion that came' };
const OPEN = { type: 'array', items: ref('OpenRecord'), description: 'The oldest first; at most 50' };

/** The app's own part of `/api/openapi.json`. */
export const catalogOpenApi: OpenApiPart = {
  paths: {
    '/api/products/{externalReference}': shows('a product', 'ShownProduct'),
    '/api/brands/{externalReference}': shows('a brand', 'ShownReference'),
    '/api/categories/{externalReference}': shows('a category', 'ShownReference'),
    '/api/counts': {
      get: {
        summary: 'Open records by tenant and kind',
        responses: { '200': json({ type: 'array', items: ref('CatalogCounts') }) },
      },
    },
  },
  schemas: {
    ShownProduct: record({
      tenant: { type: 'string' },
      externalReference: { type: 'string' },
      exists: { type: 'boolean', description: 'The shop was seen to have it' },
      skus: { ...TEXTS, description: 'SKUs that the shop was seen to have' },
      applied: { type: 'object', description: 'Values last applied: of the product, and of each SKU' },
      sourceVersion: VERSION,
      lastEnd: {
        type: ['object', 'null'],
        description: 'How the last record ended: commandId, command, outcome, reason, the first 10 errors, finishedAt',
      },
      open: OPEN,
    }),
    ShownReference: record({
      tenant: { type: 'string' },
      externalReference: { type: 'string' },
      exists: { type: 'boolean', description: 'Known: products need not wait for it' },
      inDoubt: { type: 'boolean', description: 'Something was sent over it, and nobody knows whether it entered' },
      parent: { type: ['string', 'null'] },
      record: { type: ['object', 'null'], description: 'Whole, as last applied' },
      sourceVersion: VERSION,
      open: OPEN,
    }),
    OpenRecord: record({
      commandId: { type: 'string' },
      command: { type: 'string' },
      receivedAt: { type: 'string', format: 'date-time' },
      attempts: { type: 'integer' },
      deadlineAt: { type: ['string', 'null'], format: 'date-time' },
      blocked: { type: ['string', 'null'], description: 'Why the next call could not be made yet' },
      waitingFor: {
        type: 'array',
        items: record({ kind: { enum: ['brand', 'category'] }, externalReference: { type: 'string' } }),
      },
      operationIds: TEXTS,
    }),
    CatalogCounts: record({
      tenant: { type: 'string' },
      kind: { enum: Object.keys(CATALOG_TOPICS) },
      open: { type: 'integer' },
      sent: { type: 'integer', description: 'Of these, those without an outcome yet' },
      waiting: { type: 'integer', description: 'Entities of which a record waits for references' },
    }),
  },
};

function shows(what: string, schema: string): Record<string, unknown> {
  return {
    get: {
      summary: `What is known of ${what}, and what its open records wait for`,
      parameters: [
        { name: 'externalReference', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'tenant', in: 'query', description: 'Needed with several tenants', schema: { type: 'string' } },
      ],
      responses: { '200': json(ref(schema)), '400': ERROR, '404': ERROR },
    },
  };
}

function record(properties: Record<string, object>): object {
  return { type: 'object', required: Object.keys(properties), properties };
}

function json(schema: object): object {
  return { description: 'OK', content: { 'application/json': { schema } } };
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
