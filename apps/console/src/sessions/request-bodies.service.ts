import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { StrangerBodies } from '@gondola/service-kit/http/stranger-bodies';
import { MEDIA_TYPES } from '@gondola/shared/files/media-types';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SessionGuard } from './session.guard.ts';

type Parse = (request: FastifyRequest, text: string, done: (error: Error | null, value?: unknown) => void) => void;

/** JSON as the apps take it; files are limited by file-gateway. */
const SIGNED_IN = { bodyBytes: 1_048_576, allBytes: 33_554_432 } as const;

/**
 * Takes JSON, and files, which are passed on while they come; everything else is a 415. JSON of passed calls stays
 * bytes, because the apps judge its digits. Without a session bodies are short.
 */
@Injectable()
export class RequestBodies implements OnModuleInit {
  constructor(
    private readonly guard: SessionGuard,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const bodies = new StrangerBodies(
      async (request, reply) => (await this.guard.sessionOf(request, reply)) !== null,
      SIGNED_IN,
    );
    bodies.guard(fastify);
    const parse = promisify(fastify.getDefaultJsonParser('error', 'error') as Parse);
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await bodies.read(request, payload);
      if (body.length === 0) return undefined;
      return request.url.startsWith('/apps/') ? body : parse(request, body.toString('utf8'));
    });
    fastify.addContentTypeParser([...MEDIA_TYPES], (_request, payload, done) => done(null, payload));
  }
}
