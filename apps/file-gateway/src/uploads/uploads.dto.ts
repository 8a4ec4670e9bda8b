import { OPERATION_MEMBER, type OperationDefinition } from '@gondola/service-kit/http/operation';
import { answer, errorAnswers, type OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { MEDIA_TYPES, type MediaType } from '@gondola/shared/files/media-types';
import { Open } from '@gondola/service-kit/http/answer-fields';
import type { UploadMetadata } from './uploads.repository.ts';

/** Metadata of an upload. */
class Upload implements UploadMetadata {
  @Open({ format: 'uuid' })
  readonly uploadId!: string;

  @Open()
  readonly sha256!: string;

  @Open({ type: 'integer', description: 'Size in bytes' })
  readonly size!: number;

  @Open({ enum: MEDIA_TYPES })
  readonly mediaType!: MediaType;

  @Open({ format: 'date-time' })
  readonly expiresAt!: string;
}

const OF_OPERATOR: OperationDefinition = {
  role: 'act',
  tenant: 'query',
  takes: 'file',
  action: { name: 'upload-file' },
};
const UPLOADER = [{ uploadToken: [] }];
const FILE = { type: 'string', format: 'binary' };
const UNKNOWN_TOKEN = 'Unknown upload token';

/** Answers and body of a route that takes content; `wrong` says what 400 and 401 mean there. */
function takes(summary: string, wrong: Record<400 | 401, string>) {
  return {
    summary,
    description:
      'The type of the content is recognised by its own bytes. It is stored for UPLOAD_KEEP_MS, and longer while an open command holds it.',
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: FILE } } },
        ...Object.fromEntries(MEDIA_TYPES.map((type) => [type, { schema: FILE }])),
      },
    },
    responses: {
      201: answer('Stored', Upload),
      ...errorAnswers({
        ...wrong,
        413: 'Larger than UPLOAD_MAX_BYTES',
        507: 'The tenant has no room left: UPLOAD_QUOTA_BYTES, or half of the disk',
        415: 'Neither image nor PDF; for an NF-e, send the DANFE as PDF',
        503: 'Not stored; send it again',
      }),
    },
  };
}

const BROKEN = 'No file, more than one, or a form that is broken';

/** `UploadsRoute` for `/api/openapi.json`: it is a Fastify plugin, so no decorators describe it. */
export const uploadsOpenApi: OpenApiPart = {
  paths: {
    '/uploads': {
      get: {
        operationId: 'UploadsRoute_find',
        summary: 'The upload of a content, so that it need not be sent again',
        security: UPLOADER,
        parameters: [{ name: 'sha256', in: 'query', required: true, schema: { type: 'string' } }],
        responses: {
          200: answer('OK', Upload),
          ...errorAnswers({ 400: 'No SHA-256', 401: UNKNOWN_TOKEN, 404: 'None of the tenant’s, or it has expired' }),
        },
      },
      post: {
        operationId: 'UploadsRoute_take',
        ...takes('Takes content that commands refer to by its uploadId', { 400: BROKEN, 401: UNKNOWN_TOKEN }),
        security: UPLOADER,
      },
    },
    '/api/uploads': {
      post: {
        operationId: 'UploadsRoute_takeOfOperator',
        [OPERATION_MEMBER]: OF_OPERATOR,
        ...takes('Takes content of an operator, for a tenant', {
          400: `${BROKEN}; or tenant is unknown, or missing where there are several`,
          401: 'The operations token is missing or wrong',
        }),
        parameters: [{ name: 'tenant', in: 'query', required: false, schema: { type: 'string' } }],
      },
    },
    '/uploads/{id}': {
      get: {
        operationId: 'UploadsRoute_show',
        summary: 'Metadata of an upload',
        security: UPLOADER,
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: answer('OK', Upload),
          ...errorAnswers({ 401: UNKNOWN_TOKEN, 404: 'Unknown, expired, or another tenant’s' }),
        },
      },
    },
  },
  models: [Upload],
  securitySchemes: {
    uploadToken: { type: 'http', scheme: 'bearer', description: 'An upload token, which identifies the tenant' },
  },
};
