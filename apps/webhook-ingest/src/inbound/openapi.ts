import type { OpenApiPart } from '@gondola/service-kit/openapi-document';
import type { QuarantineReason } from '../domain/read-notification.ts';

const error = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const deliver = {
  summary: 'Takes a notification of the platform',
  description:
    'Authorization carries the token of the tenant, as registered or with its scheme in front. The body is kept byte for byte, whatever its ' +
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

const quarantine = {
  summary: 'What was delivered and not understood, newest first, without its content',
  parameters: [
    { name: 'before', in: 'query', schema: { type: 'string' }, description: '`next` of the page before' },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
  ],
  responses: {
    '200': {
      description: 'OK',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/QuarantinePage' } } },
    },
  },
};

/** This app's routes in `/api/openapi.json`. */
export const INGEST_OPENAPI: OpenApiPart = {
  paths: {
    '/webhooks/platform': { post: deliver },
    '/webhooks/platform/{tenant}': { parameters: [tenant], post: deliver },
    '/api/quarantine': { get: quarantine },
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
    QuarantineEntry: {
      type: 'object',
      required: ['id', 'tenant', 'reason', 'detail', 'bytes', 'receivedAt'],
      properties: {
        id: { type: 'string' },
        tenant: { type: 'string' },
        reason: {
          enum: [
            'NOT_JSON',
            'FIELD_REQUIRED',
            'FIELD_TYPE',
            'LIMIT',
            'ENTITY_UNKNOWN',
            'TENANT_MISMATCH',
            'NOT_STORABLE',
          ] satisfies QuarantineReason[],
        },
        detail: { type: 'string', description: 'A field’s name or a code, never a value' },
        bytes: { type: 'integer' },
        receivedAt: { type: 'string', format: 'date-time' },
      },
    },
    QuarantinePage: {
      type: 'object',
      required: ['entries', 'next'],
      properties: {
        entries: { type: 'array', items: { $ref: '#/components/schemas/QuarantineEntry' } },
        next: { type: ['string', 'null'], description: 'For `before`; null on the last page' },
      },
    },
  },
};
