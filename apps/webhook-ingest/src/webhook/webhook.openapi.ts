import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';

const error = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const deliver = {
  summary: 'Takes a notification of the platform',
  description:
    'Authorization carries the token of the tenant, as registered or with its scheme in front. The body is stored byte for byte, whatever its ' +
    'content type. 200 means that it is committed: passed on, known already, or in quarantine.',
  // Not by the operations token; the document has no place for another scheme.
  security: [],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Envelope' } } },
  },
  responses: {
    '200': { description: 'Stored' },
    '401': error('The token is nobody’s, or not of the tenant in the path'),
    '413': error('Longer than MAX_BODY_BYTES; stored nowhere'),
    '503': error('Could not be stored in time; to be sent again'),
  },
};

const tenant = { name: 'tenant', in: 'path', required: true, schema: { type: 'string' } };

/** The webhook's routes in `/api/openapi.json`. */
export const INGEST_OPENAPI: OpenApiPart = {
  paths: {
    '/webhooks/platform': { post: deliver },
    '/webhooks/platform/{tenant}': { parameters: [tenant], post: deliver },
  },
  schemas: {
    Envelope: {
      type: 'object',
      required: ['operationId', 'contractAccountId', 'relatedEntity', 'eventType', 'data'],
      properties: {
        operationId: { type: 'string' },
        contractAccountId: { type: 'string' },
        relatedEntity: { type: 'string' },
        eventType: { type: 'string' },
        data: {},
        error: {},
      },
    },
  },
};
