import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { isId } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Req,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BY_SESSION, FOREIGN, GUARDED, WITH_BODY } from '../sessions/session-answers.dto.ts';
import { sessionOfRequest, SessionGuard } from '../sessions/session.guard.ts';
import { type Asker, ListSessions } from './list-sessions.service.ts';
import { EndedSessions, SessionEnding, SessionEntries, SessionList } from './sessions.dto.ts';

const BY_COMMAND = 'the command line asks it; the page has a route of its own, for each operator';
const UNKNOWN = { 404: 'There is no such session, or none that the operator sees' };

/** Sessions, for the page: those of the operator, or of everybody. */
@Controller('sessions')
@UseGuards(SessionGuard)
@UsePipes(RequestPipe)
export class SessionsController {
  constructor(private readonly sessions: ListSessions) {}

  @Get()
  @ApiOperation({ ...BY_SESSION, summary: 'The own sessions, or everybody’s for who may act on every shop' })
  @ApiOkResponse({ description: 'OK', type: SessionList })
  @ApiErrors(GUARDED)
  async list(@Req() request: FastifyRequest): Promise<SessionList> {
    const asker = sessionOfRequest(request);
    const items = await this.sessions.list(asker);
    return { items, present: asker.session.id, everybody: this.sessions.seesAll(asker) };
  }

  @Post(':id/end')
  @HttpCode(200)
  @ApiOperation({ ...BY_SESSION, summary: 'Ends a session, or all of its operator' })
  @ApiOkResponse({ description: 'Ended', type: EndedSessions })
  @ApiErrors({ ...WITH_BODY, ...GUARDED, ...FOREIGN, ...UNKNOWN })
  async end(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body() body: SessionEnding,
  ): Promise<EndedSessions> {
    return endedBy(this.sessions, sessionOfRequest(request), id, body);
  }
}

/** The same for the command line; the hook of the operations API has checked the token. */
@Controller('api/sessions')
@UsePipes(RequestPipe)
export class SessionsApiController {
  constructor(private readonly sessions: ListSessions) {}

  @Get()
  @Operation({ unpassed: BY_COMMAND })
  @CommandLine('console sessions list', {
    pt: 'Lista quem entrou no console: de que forma, desde quando, de onde e quando usou pela última vez',
    en: 'Lists who is signed in to the console: by which way, since when, from where and when last used',
  })
  @ApiOperation({ summary: 'Sessions of all operators' })
  @ApiOkResponse({ description: 'OK', type: SessionEntries })
  async list(): Promise<SessionEntries> {
    return { entries: await this.sessions.list(null) };
  }

  @Post(':id/end')
  @Operation({ unpassed: BY_COMMAND })
  @CommandLine('console sessions end', {
    pt: 'Encerra uma sessão, ou todas do mesmo operador, que então precisa entrar de novo',
    en: 'Ends a session, or all of its operator, who then has to sign in again',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Ends a session, or all of its operator' })
  @ApiOkResponse({ description: 'Ended', type: EndedSessions })
  @ApiErrors(UNKNOWN)
  async end(@Param('id') id: string, @Body() body: SessionEnding): Promise<EndedSessions> {
    return endedBy(this.sessions, null, id, body);
  }
}

/** Ends one session, or with `all` every one of its operator. */
async function endedBy(
  sessions: ListSessions,
  asker: Asker,
  id: string,
  ending: SessionEnding,
): Promise<EndedSessions> {
  const ended = isId(id) ? await sessions.end(asker, id, ending) : 0;
  if (ended === 0) throw new NotFoundException();
  return { ended };
}
