import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { IMAGE_MEDIA_TYPES, PDF_MEDIA_TYPE } from '@gondola/shared/files/media-types';
import { LANE_KINDS } from '../commands/file-command-identity.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (description: string, schema: object) => ({ description, content: { 'application/json': { schema } } });
const error = (description: string) => json(description, ref('Error'));
const TENANT = { name: 'tenant', in: 'query', description: 'Needed with several tenants', schema: { type: 'string' } };
const TIME = { type: ['string', 'null'], format: 'date-time' };
const BINARY = { schema: { type: 'string', format: 'binary' } };

const UPLOADER = [{ uploadToken: [] }];

const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });

function laneRoute(summary: string, parameter: string) {
  const responses = {
    '200': json('OK', ref('ShownLane')),
    '400': error('Several tenants, and no ?tenant='),
    '404': error('No command has named it'),
  };
  return { get: { summary, parameters: [pathParameter(parameter), TENANT], responses } };
}

const upload = {
  summary: 'Takes content that commands refer to by its uploadId',
  description:
    'The type of the content is recognised by its own bytes. It is stored for UPLOAD_KEEP_MS, and longer while an open command holds it.',
  security: UPLOADER,
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: { type: 'object', required: ['file'], properties: { file: BINARY.schema } },
      },
      ...Object.fromEntries([...IMAGE_MEDIA_TYPES, PDF_MEDIA_TYPE].map((type) => [type, BINARY])),
    },
  },
  responses: {
    '201': json('Stored', ref('Upload')),
    '400': error('No file, more than one, or a form that is broken'),
    '401': error('Unknown upload token'),
    '413': error('Larger than UPLOAD_MAX_BYTES'),
    '415': error('Neither image nor PDF; for an NF-e, send the DANFE as PDF'),
    '503': error('Not stored; send it again'),
  },
};

const metadata = {
  summary: 'Metadata of an upload',
  security: UPLOADER,
  parameters: [pathParameter('id')],
  responses: {
    '200': json('OK', ref('Upload')),
    '401': error('Unknown upload token'),
    '404': error('Unknown, expired, or another tenant’s'),
  },
};

/** This app's routes in `/api/openapi.json`. */
export const filesOpenApi: OpenApiPart = {
  paths: {
    '/uploads': { post: upload },
    '/uploads/{id}': { get: metadata },
    '/api/counts': {
      get: {
        summary: 'Uploads by tenant and state, open commands, SKUs and orders that are known',
        responses: { '200': json('OK', { type: 'object' }) },
      },
    },
    '/api/skus/{externalReference}/images': laneRoute(
      'Open commands for a SKU’s images, and what they wait for',
      'externalReference',
    ),
    '/api/orders/{number}/invoice': laneRoute(
      'Open commands for an order’s invoice file, and what they wait for',
      'number',
    ),
  },
  securitySchemes: {
    uploadToken: { type: 'http', scheme: 'bearer', description: 'An upload token of a tenant, which it names' },
  },
  schemas: {
    Upload: {
      type: 'object',
      required: ['uploadId', 'sha256', 'size', 'mediaType', 'expiresAt'],
      properties: {
        uploadId: { type: 'string', format: 'uuid' },
        sha256: { type: 'string' },
        size: { type: 'integer', description: 'Bytes' },
        mediaType: { enum: [...IMAGE_MEDIA_TYPES, PDF_MEDIA_TYPE] },
        expiresAt: { type: 'string', format: 'date-time' },
      },
    },
    ShownLane: {
      type: 'object',
      required: ['tenant', 'kind', 'identity', 'dueAt', 'leaseUntil', 'failures', 'openCommands'],
      properties: {
        tenant: { type: 'string' },
        kind: { enum: LANE_KINDS },
        identity: { type: 'string' },
        dueAt: TIME,
        leaseUntil: { ...TIME, description: 'While a worker has it' },
        failures: { type: 'integer', description: 'Steps that failed in a row' },
        openCommands: { type: 'array', items: ref('OpenFileCommand') },
      },
    },
    OpenFileCommand: {
      type: 'object',
      required: ['commandId', 'command', 'receivedAt', 'attempts', 'operationIds', 'blocked', 'waitingSince'],
      properties: {
        commandId: { type: 'string' },
        command: { type: 'string' },
        receivedAt: { type: 'string', format: 'date-time' },
        attempts: { type: 'integer' },
        firstSentAt: TIME,
        deadlineAt: TIME,
        operationIds: { type: 'array', items: { type: 'string' } },
        blocked: { type: ['string', 'null'], description: 'Why the next call could not be made yet' },
        waitingSince: { ...TIME, description: 'Since when its SKU is waited for' },
      },
    },
  },
};
