import { errorAnswers, type OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@gondola/service-kit/http/api-docs';

const ANYTHING = { type: 'object', additionalProperties: true } as const;

/** The platform's envelope, described for OpenAPI only: a body is never parsed as a whole (ADR 7). */
class Envelope {
  @ApiProperty()
  readonly operationId!: string;

  @ApiProperty()
  readonly contractAccountId!: string;

  @ApiProperty()
  readonly relatedEntity!: string;

  @ApiProperty()
  readonly eventType!: string;

  @ApiProperty(ANYTHING)
  readonly data!: unknown;

  @ApiPropertyOptional(ANYTHING)
  readonly error?: unknown;
}

const deliver = {
  summary: 'Takes a notification of the platform',
  description:
    'Authorization carries the token of the tenant, as registered or with its scheme in front. The body is stored byte for byte, whatever its ' +
    'content type. 200 means that it is stored on disk: to be published, as a repeat, or in the quarantine.',
  // Not protected by the operations token; the document has no place for another scheme.
  security: [],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: getSchemaPath(Envelope) } } },
  },
  responses: {
    200: { description: 'Stored' },
    ...errorAnswers({
      400: 'The body broke off; stored nowhere',
      401: 'The token is unknown, or it does not belong to the tenant in the path',
      413: 'Longer than MAX_BODY_BYTES; stored nowhere',
      503: 'Could not be stored in time; to be sent again',
    }),
  },
};

const tenant = { name: 'tenant', in: 'path', required: true, schema: { type: 'string' } };

/** `WebhookRoute` for `/api/openapi.json`: Node's HTTP serves the route, so no decorators describe it (ADR 7). */
export const webhookOpenApi: OpenApiPart = {
  paths: {
    '/webhooks/platform': { post: { ...deliver, operationId: 'WebhookRoute_deliver' } },
    '/webhooks/platform/{tenant}': {
      post: { ...deliver, operationId: 'WebhookRoute_deliverOfTenant', parameters: [tenant] },
    },
  },
  models: [Envelope],
};
