import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { errorBody } from '@gondola/service-kit/http/error-body';
import { noteKnownSender } from '@gondola/service-kit/http/known-senders';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import { DEFAULT_LANGUAGE, type Language } from '@gondola/shared/outcomes/reason-codes';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ReceiveUpload } from './receive-upload.service.ts';
import type { Config } from '../config.ts';
import { type UploadOutcome, UploadsMetrics } from './uploads.metrics.ts';
import { notSupportedText, UPLOAD_TEXTS } from './upload-texts.ts';
import { UploadTokens } from './upload-tokens.ts';
import { UploadsRepository } from './uploads.repository.ts';
import { UploadBodyError, uploadedFile } from './uploaded-file.adapter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Tenant of the token, or that an operator names; set before the body is read. */
    uploader: string;
    /** The request's `content-type`. */
    saidType: string;
  }
}

const SHA256 = /^[0-9a-f]{64}$/i;

/** Guarded by the operations token, as all of `/api`; the tenant stands in the query. */
const OPERATORS_PATH = '/api/uploads';

const NO_TENANT = 'tenant must be one of the tenants file; it may be missing if there is only one';

/** Room for the form around the file, in bytes. */
const FORM_BYTES = 65_536;

/**
 * `POST /uploads`, `GET /uploads/{id}` and `GET /uploads?sha256=`, and for operators `POST /api/uploads?tenant=`
 * (contract, "HTTP"; rules 31, 33). A Fastify
 * plugin rather than a Nest controller, so that the uploader is authenticated before the body is read, and the body
 * is read as a stream. Tested in uploads.e2e.spec.ts.
 */
@Injectable()
export class UploadsRoute implements OnModuleInit {
  readonly #fastify: FastifyInstance;
  readonly #maxBytes: number;
  readonly #tokens: UploadTokens;
  readonly #languages: ReadonlyMap<string, Language>;

  constructor(
    host: HttpAdapterHost,
    private readonly receiving: ReceiveUpload,
    private readonly uploads: UploadsRepository,
    private readonly metrics: UploadsMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) config: { readonly uploads: Pick<Config['uploads'], 'maxBytes'> },
    @Inject(TENANTS) tenants: ReadonlyArray<TenantConfig<'uploads'>>,
  ) {
    this.#fastify = host.httpAdapter.getInstance<FastifyInstance>();
    this.#maxBytes = config.uploads.maxBytes;
    this.#tokens = new UploadTokens(tenants.map(({ id, uploads: { tokens } }) => ({ id, tokens })));
    this.#languages = new Map(tenants.map(({ id, language }) => [id, language]));
  }

  onModuleInit(): void {
    void this.#fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // Leaves the body unread; the route reads it as it arrives.
      scope.addContentTypeParser('*', (_request, _body, done) => done(null));
      scope.decorateRequest('uploader', '');
      scope.decorateRequest('saidType', '');
      scope.setErrorHandler((error: FastifyError, request, reply) => this.#fail(error, request, reply));
      scope.addHook('onRequest', (request, reply, done) => {
        const isOperator = request.routeOptions.url === OPERATORS_PATH;
        const tenant = isOperator ? this.#named(request) : this.#tokens.tenantOf(request.headers.authorization);
        if (tenant === null && isOperator) return void reply.code(400).send(errorBody(400, NO_TENANT));
        if (tenant === null) return void reply.code(401).header('www-authenticate', 'Bearer').send(errorBody(401));
        noteKnownSender(request);
        request.uploader = tenant;
        request.saidType = request.headers['content-type'] ?? '';
        // The content's magic bytes decide its type; Fastify would answer 415 to a type that it cannot parse.
        delete request.raw.headers['content-type'];
        return done();
      });
      scope.post('/uploads', (request, reply) => this.#take(request, reply));
      scope.post(OPERATORS_PATH, (request, reply) => this.#take(request, reply));
      scope.get<{ Querystring: { sha256?: unknown } }>('/uploads', (request, reply) => this.#look(request, reply));
      scope.get<{ Params: { id: string } }>('/uploads/:id', (request, reply) => this.#show(request, reply));
    });
  }

  /** The tenant in the query, or the only one; null if it is unknown, or missing although there are several. */
  #named({ query }: FastifyRequest): string | null {
    const [only = null, ...others] = this.#languages.keys();
    const { tenant = others.length === 0 ? only : null } = query as { tenant?: unknown };
    return typeof tenant === 'string' && this.#languages.has(tenant) ? tenant : null;
  }

  async #take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { uploader: tenant, saidType, raw } = request;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > this.#maxBytes + FORM_BYTES) return this.#refuse(request, reply, 413, 'too-large');
    try {
      const received = await this.receiving.receive(tenant, uploadedFile(raw, saidType));
      if (received.kind === 'too-large') return this.#refuse(request, reply, 413, 'too-large');
      if (received.kind === 'quota-full') return this.#refuse(request, reply, 507, 'quota-full');
      if (received.kind === 'not-supported') {
        const text = notSupportedText(received.found, this.#language(tenant));
        return this.#refuse(request, reply, 415, 'not-supported', text);
      }
      if (received.kind === 'given-up') return this.#refuse(request, reply, 503, 'not-stored');
      this.metrics.uploaded(tenant, 'stored', received.upload);
      return reply.code(201).send(received.upload);
    } catch (error) {
      return this.#broken(error, request, reply);
    }
  }

  #broken(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { malformed, noFile } = this.#texts(request.uploader);
    if (!(error instanceof UploadBodyError)) {
      this.logger.error({ err: error, tenant: request.uploader }, 'An upload could not be received');
      return this.#refuse(request, reply, 503, 'not-stored');
    }
    if (error.code === 'no-file') return this.#refuse(request, reply, 400, 'malformed', noFile);
    return this.#refuse(request, reply, 400, error.code === 'malformed' ? 'malformed' : 'broken-off', malformed);
  }

  #refuse(
    { uploader: tenant }: FastifyRequest,
    reply: FastifyReply,
    status: 400 | 413 | 415 | 503 | 507,
    end: UploadOutcome,
    message?: string,
  ): FastifyReply {
    const { tooLarge, quotaFull, notStored } = this.#texts(tenant);
    this.metrics.uploaded(tenant, end);
    const standard = status === 413 ? tooLarge(this.#maxBytes) : status === 507 ? quotaFull : notStored;
    return reply.code(status).send(errorBody(status, message ?? standard));
  }

  /** Another tenant's upload is answered like an unknown one. */
  async #show(request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply): Promise<FastifyReply> {
    const upload = await this.uploads.find(request.uploader, request.params.id);
    return upload === null ? reply.code(404).send(errorBody(404)) : reply.send(upload);
  }

  /** Answers whether a content is stored already, so that it need not be sent again. */
  async #look(
    { uploader, query }: FastifyRequest<{ Querystring: { sha256?: unknown } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { sha256 } = query;
    if (typeof sha256 !== 'string' || !SHA256.test(sha256)) {
      return reply.code(400).send(errorBody(400, 'sha256 is 64 hexadecimal digits'));
    }
    const upload = await this.uploads.findContent(uploader, sha256.toLowerCase());
    return upload === null ? reply.code(404).send(errorBody(404)) : reply.send(upload);
  }

  #fail(error: FastifyError, { uploader: tenant }: FastifyRequest, reply: FastifyReply): void {
    const { statusCode = 500 } = error;
    if (statusCode >= 500) this.logger.error({ err: error, statusCode, tenant }, 'A request of an uploader failed');
    void reply.code(statusCode).send(errorBody(statusCode));
  }

  #texts(tenant: string) {
    return UPLOAD_TEXTS[this.#language(tenant)];
  }

  #language(tenant: string): Language {
    return this.#languages.get(tenant) ?? DEFAULT_LANGUAGE;
  }
}
