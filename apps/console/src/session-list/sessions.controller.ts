import {
  BadRequestException,
  Controller,
  Delete,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Asker, type ListedSession, ListSessions } from './list-sessions.service.ts';
import { sessionOfRequest, SessionGuard } from '../sessions/session.guard.ts';

interface SessionList {
  readonly items: readonly ListedSession[];
}

/** Sessions, for the page: those of the operator, or of everybody. */
@Controller('sessions')
@UseGuards(SessionGuard)
export class SessionsController {
  constructor(private readonly sessions: ListSessions) {}

  /** `present`: the id of the session that asks; `everybody`: the sessions of others are among them. */
  @Get()
  async list(
    @Req() request: FastifyRequest,
  ): Promise<SessionList & { readonly present: string; readonly everybody: boolean }> {
    const asker = sessionOfRequest(request);
    const items = await this.sessions.list(asker);
    return { items, present: asker.session.id, everybody: this.sessions.seesAll(asker) };
  }

  /** Ends one session, or with `all=true` every one of its operator. */
  @Delete(':id')
  @HttpCode(200)
  async end(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
  ): Promise<{ readonly ended: number }> {
    return endedBy(this.sessions, sessionOfRequest(request), id, query);
  }
}

/** The same for the command line; the hook of the operations API has checked the token. */
@Controller('api/sessions')
export class SessionsApiController {
  constructor(private readonly sessions: ListSessions) {}

  @Get()
  async list(): Promise<SessionList> {
    return { items: await this.sessions.list(null) };
  }

  @Delete(':id')
  @HttpCode(200)
  async end(@Param('id') id: string, @Query() query: Record<string, unknown>): Promise<{ readonly ended: number }> {
    return endedBy(this.sessions, null, id, query);
  }
}

const ID = /^\d{1,18}$/;

async function endedBy(
  sessions: ListSessions,
  asker: Asker,
  id: string,
  { all = 'false', ...others }: Record<string, unknown>,
): Promise<{ readonly ended: number }> {
  if ((all !== 'true' && all !== 'false') || Object.keys(others).length > 0) {
    throw new BadRequestException('There is the parameter all, which is true or false');
  }
  const ended = ID.test(id) ? await sessions.end(asker, id, { all: all === 'true' }) : 0;
  if (ended === 0) throw new NotFoundException();
  return { ended };
}
