import { Body, Controller, Get, HttpException, Module, Post, Req } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { ApiOkResponse, ApiOperation } from '../http/api-docs.ts';
import { Operation } from '../http/operation.ts';
import type { FastifyRequest } from 'fastify';
import type { AppOptions } from '../run/app-options.ts';
import { createApp } from '../run/create-app.ts';
import type { RunningApp } from '../run/create-app.ts';
import { createLogger } from '../logging/logger.ts';
import type { Startable } from '../run/startable.ts';

export const OPERATIONS_TOKEN = 'operations-token-of-the-shelf';
export const HANDLER_ERROR = new Error('thrown by a handler');

@Controller()
class ShelfController {
  @Get('trace')
  trace(@Req() request: FastifyRequest): { traceparent: string } {
    return { traceparent: request.traceparent };
  }

  @Get('api/shelves')
  @Operation({ unpassed: 'a test' })
  @ApiOperation({ summary: 'Shelves' })
  @ApiOkResponse({ description: 'OK', type: [String] })
  shelves(): string[] {
    return ['one'];
  }

  @Get('broken')
  broken(): never {
    throw new Error('SELECT of cliente@example.com failed');
  }

  @Get('refused')
  refused(): never {
    throw new HttpException({ code: 'ORDER_UNKNOWN', message: 'No such order' }, 404);
  }

  @Post('echo')
  echo(@Body() body: unknown): unknown {
    return { body };
  }

  @EventPattern('shelf.filled')
  async filled(@Payload() shelf: string): Promise<void> {
    if (shelf === 'broken') throw HANDLER_ERROR;
  }
}

@Module({ controllers: [ShelfController] })
export class ShelfModule {}

/** A small app for tests: any free port, short waits, its log in `lines`. */
export async function shelfApp(lines: string[], options: Partial<AppOptions> = {}): Promise<RunningApp> {
  return createApp({
    name: 'shelf-keeper',
    module: ShelfModule,
    config: { http: { host: '127.0.0.1', port: 0, operationsToken: OPERATIONS_TOKEN } },
    logger: createLogger({ app: 'shelf-keeper', level: 'debug', destination: { write: (line) => lines.push(line) } }),
    timings: { retryFirstMs: 1, retryMostMs: 4 },
    ...options,
  });
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Sends a request with the operations token; JSON is parsed. */
export async function ask(app: { url: string }, path: string, init: RequestInit = {}): Promise<Answer> {
  const own = new Headers(init.headers);
  own.set('authorization', `Bearer ${OPERATIONS_TOKEN}`);
  const { status, headers, ...response } = await fetch(`${app.url}${path}`, { ...init, headers: own }).then(
    async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
    }),
  );
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  return { status, headers, body: isJson ? (JSON.parse(response.text) as unknown) : response.text };
}

/** A startable that records its events in `story`; `start` may delay it or fail. */
export function part(name: string, story: string[], start: () => Promise<void> = async () => {}): Startable {
  return {
    name,
    start: async () => {
      await start();
      story.push(`${name} started`);
    },
    stop: async () => {
      story.push(`${name} stopped`);
    },
  };
}

/** A start that fails `times` times as if the server were away, then succeeds. */
export function failing(times: number): () => Promise<void> {
  let left = times;
  return async () => {
    left -= 1;
    if (left >= 0) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
}
