import {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';

import { ApiAcceptedResponse, ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ApiPageOf, isId, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';

import { ReplayRefusedError, Replays } from '@gondola/lanes/replays/replays';
import { BeginReplay, WrongReplayError } from './begin-replay.service.ts';
import { ReplayQuery, ReplayRequest, ReplaysQuery, ShownReplay, shownReplay } from './replays.dto.ts';

const WRONG = 'A field is wrong; the message says what would be right';
const UNKNOWN = 'There is no such replay';

/** Publishes again what this app published (contract, "Replays"). */
@Controller('api/replays')
@UsePipes(RequestPipe)
export class ReplaysController {
  constructor(
    private readonly replays: Replays,
    private readonly begin: BeginReplay,
  ) {}

  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'start-replay', subject: 'topic' } })
  @CommandLine('replay start', {
    pt: 'Publica outra vez o que foi publicado num tópico, byte a byte e em ordem, marcado com ce_replay',
    en: 'Publishes again what was published to a topic, byte for byte and in order, marked by ce_replay',
  })
  @HttpCode(202)
  @ApiOperation({ summary: 'Publishes again what was published to a topic up to now, at a limited pace' })
  @ApiAcceptedResponse({
    description: 'It goes on by itself; or the same ran already, and this is it',
    type: ShownReplay,
  })
  @ApiErrors({ 400: WRONG, 409: 'As many replays run as may', 503: 'Kafka does not answer' })
  async start(@Body() request: ReplayRequest): Promise<ShownReplay> {
    return shownReplay(await this.begin.run(request).catch(refused));
  }

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('replay list', {
    pt: 'Lista as republicações, as mais recentes primeiro',
    en: 'Lists the replays, newest first',
  })
  @ApiOperation({ summary: 'Replays of the last 30 days, newest first' })
  @ApiPageOf(ShownReplay)
  @ApiErrors({ 400: WRONG })
  async list(@Query() query: ReplaysQuery): Promise<PageOf<ShownReplay>> {
    const { before, limit } = pageRequest(query);
    return pageOf((await this.replays.list(query.tenant ?? null, before, limit + 1)).map(shownReplay), limit);
  }

  @Get(':id')
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('replay show', {
    pt: 'Mostra uma republicação e o seu andamento',
    en: 'Shows a replay and its progress',
  })
  @ApiOperation({ summary: 'A replay and its progress' })
  @ApiOkResponse({ description: 'OK', type: ShownReplay })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN })
  async show(@Param('id') id: string, @Query() { tenant }: ReplayQuery): Promise<ShownReplay> {
    const replay = isId(id) ? await this.replays.find(id) : null;
    if (replay !== null && (tenant === undefined || replay.tenant === tenant)) return shownReplay(replay);
    throw new NotFoundException({ code: 'NOT_FOUND', message: 'No replay has this id; GET /api/replays lists them' });
  }

  @Post(':id/stop')
  @Operation({ role: 'act', tenant: 'query', action: { name: 'stop-replay', subject: 'id' } })
  @CommandLine('replay stop', {
    pt: 'Para uma republicação, que pode continuar depois de onde estava',
    en: 'Stops a replay, which can go on later from where it was',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Stops a replay after the records that are being sent' })
  @ApiOkResponse({ description: 'OK', type: ShownReplay })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN })
  async stop(@Param('id') id: string, @Query() query: ReplayQuery): Promise<ShownReplay> {
    await this.show(id, query);
    await this.replays.setStopped(id, true);
    return this.show(id, query);
  }

  @Post(':id/resume')
  @Operation({ role: 'act', tenant: 'query', action: { name: 'resume-replay', subject: 'id' } })
  @CommandLine('replay resume', {
    pt: 'Continua uma republicação parada, de onde estava',
    en: 'Goes on with a stopped replay, from where it was',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Goes on with a stopped replay' })
  @ApiOkResponse({ description: 'OK', type: ShownReplay })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN, 409: 'A replay of the same records runs' })
  async resume(@Param('id') id: string, @Query() query: ReplayQuery): Promise<ShownReplay> {
    await this.show(id, query);
    await this.replays.setStopped(id, false).catch(refused);
    return this.show(id, query);
  }
}

function refused(error: unknown): never {
  if (error instanceof WrongReplayError) throw new BadRequestException(error.message);
  if (!(error instanceof ReplayRefusedError)) throw error;
  throw new ConflictException({ code: 'REPLAY_REFUSED', message: error.message });
}
