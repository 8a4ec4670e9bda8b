/** OpenAPI 3.1 path items and components that an app adds to the common document. */
export interface OpenApiPart {
  paths: Record<string, Record<string, unknown>>;
  schemas?: Record<string, unknown>;
  /** Of routes that are not guarded by the operations token; an operation names its scheme by its own `security`. */
  securitySchemes?: Record<string, unknown>;
}

export interface OpenApiContent {
  openapi: '3.1.0';
  info: { title: string; version: string };
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, unknown>>;
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, unknown> };
}

/** `GET /api/openapi.json`: the routes that every app has, and the app's own. */
export class OpenApiDocument {
  readonly content: OpenApiContent;

  constructor(app: { name: string; version: string }, parts: readonly OpenApiPart[]) {
    this.content = {
      openapi: '3.1.0',
      info: { title: `Gondola ${app.name}`, version: app.version },
      security: [{ operationsToken: [] }],
      paths: Object.assign({}, COMMON_PATHS, ...parts.map((part) => part.paths)) as OpenApiContent['paths'],
      components: {
        securitySchemes: merged(COMMON_SECURITY, ...parts.map((part) => part.securitySchemes)),
        schemas: merged(COMMON_SCHEMAS, ...parts.map((part) => part.schemas)),
      },
    };
  }
}

const COMMON_SECURITY = {
  operationsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'OPERATIONS_TOKEN. Another one is answered 401; where none is set, the operations API is off: 403',
  },
};

const COMMON_SCHEMAS = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
  Readiness: {
    type: 'object',
    required: ['status', 'checks'],
    properties: {
      status: { enum: ['starting', 'ready', 'failing', 'stopping'] },
      checks: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['ok', 'required'],
          properties: {
            ok: { type: 'boolean' },
            required: { type: 'boolean' },
            state: { enum: ['waiting', 'starting', 'retrying', 'started', 'stopped'] },
            attempts: { type: 'integer' },
            waitsFor: { type: 'string', description: 'Why a start under way may take its time' },
            reason: { type: 'string' },
            variable: { type: 'string', description: 'Names what could not be used, such as DATABASE_URL' },
          },
        },
      },
    },
  },
  Info: {
    type: 'object',
    required: ['name', 'version', 'phase', 'uptimeMs', 'startables'],
    properties: {
      name: { type: 'string' },
      version: { type: 'string' },
      phase: { enum: ['starting', 'ready', 'stopping'] },
      uptimeMs: { type: 'integer' },
      startables: { type: 'object', additionalProperties: { type: 'object' } },
    },
  },
};

const COMMON_PATHS = {
  '/health/live': { get: open('The process answers', answer({ type: 'object' })) },
  '/health/ready': {
    get: open('The process can do its work', answer(ref('Readiness')), { '503': json('Not ready', ref('Readiness')) }),
  },
  '/metrics': {
    get: open('Prometheus metrics', {
      '200': { description: 'OK', content: { 'text/plain': { schema: { type: 'string' } } } },
    }),
  },
  '/api/info': { get: { summary: 'Name, version, uptime, state of each startable', responses: answer(ref('Info')) } },
  '/api/openapi.json': { get: { summary: 'This document', responses: answer({ type: 'object' }) } },
};

function merged(...components: readonly (Record<string, unknown> | undefined)[]): Record<string, unknown> {
  return Object.assign({}, ...components) as Record<string, unknown>;
}

function open(summary: string, ...responses: object[]): object {
  return { summary, security: [], responses: Object.assign({}, ...responses) as object };
}

function answer(schema: object): object {
  return { '200': json('OK', schema) };
}

function json(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}
