import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type {} from '@gondola/service-kit/trace';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ReceiveNotification } from '../application/receive-notification.ts';
import { CONFIG, type Config } from '../config.ts';
import { TokenDirectory } from '../domain/token-directory.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token was shown; set before the body is read. */
    webhookTenant: string;
  }
}

interface Params {
  readonly tenant?: string;
}

/**
 * `POST /webhooks/platform` and `/webhooks/platform/{tenant}`. A Fastify plugin rather than a Nest controller, so that the sender is known
 * before its body is read, and the bytes stay as they came, whatever their content type says.
 *
 * 401 for whom we don't know, without saying what was wrong; 413 for what is over the limit; 200 for all that is stored; 503 for what is
 * stored nowhere (rules 3, 4).
 */
@Injectable()
export class WebhookRoutes implements OnModuleInit {
  readonly #fastify: FastifyInstance;
  readonly #receiving: ReceiveNotification;
  readonly #config: Config;
  readonly #tokens: TokenDirectory;

  constructor(host: HttpAdapterHost, receiving: ReceiveNotification, @Inject(CONFIG) config: Config) {
    this.#fastify = host.httpAdapter.getInstance<FastifyInstance>();
    this.#receiving = receiving;
    this.#config = config;
    this.#tokens = new TokenDirectory(config.tenants.map(({ id, webhook }) => ({ id, tokens: webhook.tokens })));
  }

  onModuleInit(): void {
    void this.#fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      const parser = { parseAs: 'buffer', bodyLimit: this.#config.ingest.maxBodyBytes } as const;
      scope.addContentTypeParser('*', parser, (_request, body, done) => done(null, body));
      scope.decorateRequest('webhookTenant', '');
      scope.setErrorHandler((error: FastifyError, request, reply) => this.#refuse(error, request, reply));
      scope.addHook('onRequest', (request, reply, done) => {
        const tenant = this.#tokens.tenantOf(request.headers.authorization, (request.params as Params).tenant);
        if (tenant === null) return void reply.code(401).send(UNAUTHORIZED);
        request.webhookTenant = tenant;
        return done();
      });
      for (const path of ['/webhooks/platform', '/webhooks/platform/:tenant']) {
        scope.post(path, { bodyLimit: parser.bodyLimit }, (request, reply) => this.#take(request, reply));
      }
    });
  }

  async #take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const receiver = this.#config.receivers.get(request.webhookTenant);
    if (receiver === undefined) return reply.code(401).send(UNAUTHORIZED);
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const stored = await this.#receiving.receive(receiver, body, request.traceparent);
    return stored ? reply.code(200).send() : reply.code(503).send(NOT_STORED);
  }

  #refuse({ statusCode = 500 }: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    if (statusCode === 413) this.#receiving.tooLarge(request.webhookTenant, this.#config.ingest.maxBodyBytes);
    const code = statusCode === 413 ? 'BODY_TOO_LARGE' : 'REQUEST_REFUSED';
    void reply.code(statusCode).send({ error: { code, message: 'The request could not be taken' } });
  }
}

const UNAUTHORIZED = { error: { code: 'UNAUTHORIZED', message: 'Unauthorized' } };
const NOT_STORED = {
  error: { code: 'NOT_STORED', message: 'The notification is stored nowhere; it must be sent again' },
};
