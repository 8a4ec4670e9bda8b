import type { Readable } from 'node:stream';
import { ApiExcludeEndpoint } from '@gondola/service-kit/http/api-docs';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { All, Controller, Inject, NotFoundException, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { isAppName } from '../operations-apis/app-name.ts';
import { operatorOfRequest, SessionGuard } from '../sessions/session.guard.ts';
import { AnswerRoom } from '../operations-apis/answer-room.ts';
import { PassCall } from './pass-call.service.ts';
import { PassingMetrics } from './passing.metrics.ts';

/** Answers of the greatest length that have room together while no browser has read them. */
const HELD_ANSWERS = 4;

/** `/apps/{app}/api/…`: the operations API of an app, for operators. */
@Controller('apps')
@UseGuards(SessionGuard)
export class PassingController {
  readonly #room: AnswerRoom;

  constructor(
    private readonly passing: PassCall,
    private readonly metrics: PassingMetrics,
    @Inject(CONFIG) { calls }: Pick<Config, 'calls'>,
  ) {
    this.#room = new AnswerRoom(HELD_ANSWERS * calls.answerMaxBytes);
  }

  @All(':app/*')
  @ApiExcludeEndpoint()
  async pass(@Param('app') app: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!isAppName(app)) throw new NotFoundException();
    // Not by URL, which would resolve dots in the path.
    const [path = '', query = ''] = request.url.split('?', 2);
    const { method, headers, traceparent } = request;
    const hold = this.#room.open();
    reply.raw.once('close', () => hold.release());
    const answer = await this.passing.pass({
      operator: operatorOfRequest(request),
      app,
      method,
      path: path.slice(`/apps/${app}`.length),
      query: new URLSearchParams(query),
      contentType: headers['content-type'] ?? null,
      contentLength: headers['content-length'] ?? null,
      body: request.body as Buffer | Readable | undefined,
      fetchSite: textOf(headers['sec-fetch-site']),
      traceparent,
      hold,
    });
    this.metrics.count(app, answer.status);
    if (answer.retryAfter !== null) void reply.header('retry-after', answer.retryAfter);
    void reply.status(answer.status).header('content-type', answer.contentType).send(answer.body);
  }
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
