import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';

import { ApiAcceptedResponse, ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, isId, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { currentOperator } from '@gondola/service-kit/logging/operator';

import {
  ParkedGroups,
  ParkedGroupsQuery,
  ParkedQuery,
  ParkedRecord,
  ReleasedRecord,
  ReleasedRecords,
  ReleaseRequest,
} from './parked.dto.ts';
import { ParkedSource } from './parked-source.ts';

const WRONG = 'A parameter or a field is wrong; the message says what would be right';
const UNKNOWN = 'No record is parked with this id: it was released, or its content was erased';

/**
 * Records that Kafka does not accept as they are (contract, "HTTP"). What is released keeps its place before all that
 * wait, and comes after what its entity sent meanwhile; Kafka may refuse it again.
 */
@Controller('api/parked')
@UsePipes(RequestPipe)
export class ParkedController {
  constructor(
    private readonly parked: ParkedSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('parked list', {
    pt: 'Lista os registros recusados de todos os aplicativos, os mais recentes primeiro',
    en: 'Lists the parked records of all apps, newest first',
  })
  @ApiOperation({ summary: 'Records that Kafka does not accept as they are, newest first, without their content' })
  @ApiPageOf(ParkedRecord)
  @ApiErrors({ 400: WRONG })
  async list(@Query() query: ParkedQuery): Promise<PageOf<ParkedRecord>> {
    const { before, limit } = pageRequest(query);
    const { tenant, topic, reason } = query;
    const filter = { ...(tenant && { tenant }), ...(topic && { topic }), ...(reason && { reason }) };
    return pageOf(await this.parked.list(filter, before, limit + 1), limit);
  }

  @Get('groups')
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('parked release/groups')
  @ApiOperation({ summary: 'Parked records by tenant, reason and topic, at most 200 groups' })
  @ApiOkResponse({ description: 'OK', type: ParkedGroups })
  @ApiErrors({ 400: WRONG })
  async groups(@Query() { tenant }: ParkedGroupsQuery): Promise<ParkedGroups> {
    return { groups: await this.parked.groups(tenant ?? null) };
  }

  @Get(':id')
  @Operation({ role: 'see', tenant: 'answer' })
  @ApiOperation({ summary: 'One of them, without its content' })
  @ApiOkResponse({ description: 'OK', type: ParkedRecord })
  @ApiErrors({ 404: UNKNOWN })
  async show(@Param('id') id: string): Promise<ParkedRecord> {
    return present(isId(id) ? await this.parked.find(id) : null);
  }

  @Post('release')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'release-all-parked' } })
  @CommandLine('parked release', {
    pt: 'Envia de novo ao Kafka um registro recusado, depois de corrigida a causa, ou todos os que combinam; sem --confirm só mostra quantos combinam',
    en: 'Sends a parked record to Kafka again, once its cause is gone, or all that match; without --confirm only shows how many match',
  })
  @HttpCode(202)
  @ApiOperation({ summary: 'Sends all that match to Kafka again, at most 10,000 in one request' })
  @ApiAcceptedResponse({ description: 'They wait for Kafka again', type: ReleasedRecords })
  @ApiErrors({ 400: WRONG })
  async releaseAll(@Body() { confirm: _confirm, ...filter }: ReleaseRequest): Promise<ReleasedRecords> {
    const released = await this.parked.releaseAll(filter);
    this.#tell({ ...filter, records: released.released });
    return released;
  }

  @Post(':id/release')
  @Operation({ role: 'act', tenant: { at: '/api/parked/{id}' }, action: { name: 'release-parked', subject: 'id' } })
  @CommandLine('parked release/one')
  @HttpCode(202)
  @ApiOperation({ summary: 'Sends the record to Kafka again' })
  @ApiAcceptedResponse({ description: 'It waits for Kafka again', type: ReleasedRecord })
  @ApiErrors({ 404: UNKNOWN })
  async release(@Param('id') id: string): Promise<ReleasedRecord> {
    const released = present(isId(id) ? await this.parked.release(id) : null);
    this.#tell({ topic: released.topic, outboxId: id, records: 1 });
    return released;
  }

  #tell(released: object): void {
    this.logger.info({ ...released, operator: currentOperator() }, 'Parked records were released');
  }
}

function present<T>(found: T | null): T {
  if (found !== null) return found;
  throw new NotFoundException({ code: 'NOT_FOUND', message: `${UNKNOWN}; GET /api/parked lists them` });
}
