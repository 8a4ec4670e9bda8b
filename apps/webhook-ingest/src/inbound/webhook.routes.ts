import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from '@gondola/service-kit/error-body';
import { type Logger, LOGGER } from '@gondola/service-kit/logger';
import { IngestMetrics } from '../application/ingest-metrics.ts';
import { ReceiveNotification } from '../application/receive-notification.ts';
import { CONFIG, type Config } from '../config.ts';
import type { Receiver } from '../domain/read-notification.ts';
import { TokenDirectory } from '../domain/token-directory.ts';
import { readBody } from './read-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token was shown; set before the body is read. */
    receiver: Receiver | null;
  }
}

/** With and without a slash at the end: the URL that a merchant registers can never be changed. */
const PATHS = [
  '/webhooks/platform',
  '/webhooks/platform/',
  '/webhooks/platform/:tenant',
  '/webhooks/platform/:tenant/',
];

/**
 * `POST /webhooks/platform` and `/webhooks/platform/{tenant}`. A Fastify plugin rather than a Nest controller, so that the sender is known
 * before its body is read, and the bytes stay as they came, whatever their content type says.
 *
 * 401 for whom we don't know, without saying what was wrong; 413 for what is over the limit; 200 for all that is stored; 503 for what is
 * stored nowhere (rules 3, 4). Tested in webhook.int.spec.ts.
 */
@Injectable()
export class WebhookRoutes implements OnModuleInit {
  readonly #fastify: FastifyInstance;
  readonly #receiving: ReceiveNotification;
  readonly #metrics: IngestMetrics;
  readonly #logger: Logger;
  readonly #config: Config;
  readonly #tokens: TokenDirectory;

  constructor(
    host: HttpAdapterHost,
    receiving: ReceiveNotification,
    metrics: IngestMetrics,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) config: Config,
  ) {
    this.#fastify = host.httpAdapter.getInstance<FastifyInstance>();
    this.#receiving = receiving;
    this.#metrics = metrics;
    this.#logger = logger;
    this.#config = config;
    this.#tokens = new TokenDirectory(config.tenants.map(({ id, webhook }) => ({ id, tokens: webhook.tokens })));
  }

  onModuleInit(): void {
    void this.#fastify.register(async (scope) => {
      const limit = this.#config.ingest.maxBodyBytes;
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request: FastifyRequest, stream: IncomingMessage) => readBody(stream, limit));
      scope.decorateRequest('receiver', null);
      scope.setErrorHandler((error: FastifyError, request, reply) => this.#fail(error, request, reply));
      scope.addHook('onRequest', (request, reply, done) => {
        request.receiver = this.#receiverOf(request);
        if (request.receiver === null) {
          this.#metrics.unauthorized();
          return void reply.code(401).header('www-authenticate', 'Bearer').send(errorBody(401));
        }
        // The bytes are read whatever they are said to be; Fastify would answer 415 to a type that it cannot parse.
        delete request.raw.headers['content-type'];
        return done();
      });
      closeConnectionsWhenStopping(scope);
      for (const path of PATHS) scope.post(path, (request, reply) => this.#take(request, reply));
    });
  }

  #receiverOf({ headers, params }: FastifyRequest): Receiver | null {
    const { tenant } = params as { tenant?: string };
    const shown = this.#tokens.tenantOf(headers.authorization, tenant === '' ? undefined : tenant);
    return this.#config.receivers.get(shown ?? '') ?? null;
  }

  async #take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const receiver = request.receiver!;
    if (request.body === null) return this.#refuseTooLarge(receiver, request, reply);
    // Undefined where a request has no body at all.
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    const isStored = await this.#receiving.receive(receiver, body, request.traceparent);
    if (isStored) return reply.code(200).send();
    return reply.code(503).send(errorBody(503, 'The notification is stored nowhere; it must be sent again'));
  }

  /** The platform will not send it smaller, so somebody has to raise the limit. */
  #refuseTooLarge(
    { id: tenant }: Receiver,
    { headers, traceparent }: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    this.#metrics.received(tenant, 'too-large');
    const limit = this.#config.ingest.maxBodyBytes;
    const fields = {
      tenant,
      limit,
      bytes: Number(headers['content-length']) || null,
      reasonCode: 'LIMIT',
      traceparent,
    };
    this.#logger.error(fields, 'A notification is over MAX_BODY_BYTES and was answered 413; it is stored nowhere');
    return reply.code(413).send(errorBody(413));
  }

  #fail(error: FastifyError, { traceparent }: FastifyRequest, reply: FastifyReply): void {
    const { statusCode = 500 } = error;
    if (statusCode >= 500) this.#logger.error({ err: error, statusCode, traceparent }, 'A delivery failed');
    void reply.code(statusCode).send(errorBody(statusCode));
  }
}

/** A connection whose delivery was under way when the stop began would be kept alive after its answer, and hold up the stop for seconds. */
function closeConnectionsWhenStopping(scope: FastifyInstance): void {
  let isStopping = false;
  scope.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  scope.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) void reply.header('connection', 'close');
    done(null, payload);
  });
}
