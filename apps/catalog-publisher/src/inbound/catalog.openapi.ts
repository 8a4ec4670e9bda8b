import type { OpenApiPart } from '@gondola/service-kit/openapi-document';

const ERROR = {
  description: 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const TEXTS = { type: 'array', items: { type: 'string' } };

/** The app's own part of `/api/openapi.json`. */
export const catalogOpenApi: OpenApiPart = {
  paths: {
    '/api/products/{externalReference}': {
      get: {
        summary: 'What is known of a product, and what its open records wait for',
        parameters: [
          { name: 'externalReference', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'tenant', in: 'query', description: 'Needed with several tenants', schema: { type: 'string' } },
        ],
        responses: {
          '200': {
            description: 'OK',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/ShownProduct' } } },
          },
          '400': ERROR,
          '404': ERROR,
        },
      },
    },
  },
  schemas: {
    ShownProduct: {
      type: 'object',
      required: ['tenant', 'externalReference', 'exists', 'skus', 'applied', 'sourceVersion', 'open'],
      properties: {
        tenant: { type: 'string' },
        externalReference: { type: 'string' },
        exists: { type: 'boolean', description: 'The shop was seen to have it' },
        skus: { ...TEXTS, description: 'SKUs that the shop was seen to have' },
        applied: { type: 'object', description: 'Values last applied: of the product, and of each SKU' },
        sourceVersion: { type: ['string', 'null'], description: 'The highest that came' },
        open: { type: 'array', items: { $ref: '#/components/schemas/OpenRecord' } },
      },
    },
    OpenRecord: {
      type: 'object',
      required: ['commandId', 'command', 'receivedAt', 'attempts', 'deadlineAt', 'blocked', 'operationIds'],
      properties: {
        commandId: { type: 'string' },
        command: { type: 'string' },
        receivedAt: { type: 'string', format: 'date-time' },
        attempts: { type: 'integer' },
        deadlineAt: { type: ['string', 'null'], format: 'date-time' },
        blocked: { type: ['string', 'null'], description: 'Why the next call could not be made yet' },
        operationIds: TEXTS,
      },
    },
  },
};
