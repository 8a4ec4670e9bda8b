import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sessionOfRequest, SessionGuard } from '../sessions/session.guard.ts';
import { type Asker, type ListedSession, ListSessions } from './list-sessions.service.ts';

interface SessionList {
  readonly items: readonly ListedSession[];
  /** Id of the session that asks. */
  readonly present: string;
  /** True if the sessions of others are among them. */
  readonly everybody: boolean;
}

interface EndedSessions {
  /** Number of sessions. */
  readonly ended: number;
}

/** Sessions, for the page: those of the operator, or of everybody. */
@Controller('sessions')
@UseGuards(SessionGuard)
export class SessionsController {
  constructor(private readonly sessions: ListSessions) {}

  @Get()
  async list(@Req() request: FastifyRequest): Promise<SessionList> {
    const asker = sessionOfRequest(request);
    const items = await this.sessions.list(asker);
    return { items, present: asker.session.id, everybody: this.sessions.seesAll(asker) };
  }

  @Post(':id/end')
  @HttpCode(200)
  async end(@Req() request: FastifyRequest, @Param('id') id: string, @Body() body: unknown): Promise<EndedSessions> {
    return endedBy(this.sessions, sessionOfRequest(request), id, body);
  }
}

/** The same for the command line; the hook of the operations API has checked the token. */
@Controller('api/sessions')
export class SessionsApiController {
  constructor(private readonly sessions: ListSessions) {}

  @Get()
  async list(): Promise<{ readonly entries: readonly ListedSession[] }> {
    return { entries: await this.sessions.list(null) };
  }

  @Post(':id/end')
  @HttpCode(200)
  async end(@Param('id') id: string, @Body() body: unknown): Promise<EndedSessions> {
    return endedBy(this.sessions, null, id, body);
  }
}

const ending = z.strictObject({ all: z.boolean().default(false) });
const ID = /^\d{1,18}$/;

/** Ends one session, or with `all` every one of its operator. */
async function endedBy(sessions: ListSessions, asker: Asker, id: string, body: unknown = {}): Promise<EndedSessions> {
  const { success, data } = ending.safeParse(body);
  if (!success) throw new BadRequestException('The body is a JSON object with the field all, which is true or false');
  const ended = ID.test(id) ? await sessions.end(asker, id, data) : 0;
  if (ended === 0) throw new NotFoundException();
  return { ended };
}
