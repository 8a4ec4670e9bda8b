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
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { Counted, counted, MOST_COUNTED } from '@gondola/service-kit/http/counted.dto';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, isId, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { currentOperator } from '@gondola/service-kit/logging/operator';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';

import {
  BulkJobQuery,
  BulkJobRequest,
  BulkJobsQuery,
  BulkPreviewRequest,
  ShownBulkJob,
  shownJob,
} from './bulk-jobs.dto.ts';
import { BulkJobs, TooManyJobsError } from '@gondola/lanes/jobs/bulk-jobs';
import { type BulkAction, BulkTarget } from '@gondola/lanes/jobs/bulk-target';

const WRONG = 'A field is wrong, or the app has no such action; the message says what would be right';
const UNKNOWN = 'There is no such job';

/** Acts on many dead letters, or on many entries of the quarantine, as one job (contract, "HTTP"). */
@Controller('api/jobs')
@UsePipes(RequestPipe)
export class BulkJobsController {
  constructor(
    private readonly jobs: BulkJobs,
    private readonly target: BulkTarget,
  ) {}

  @Post('preview')
  @Operation({ role: 'see', tenant: 'body' })
  @CommandLine('jobs start/preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Says how many rows a job would change; changes nothing' })
  @ApiOkResponse({ description: 'OK', type: Counted })
  @ApiErrors({ 400: WRONG })
  async preview(@Body() { action, ...filter }: BulkPreviewRequest): Promise<Counted> {
    this.#refuseUnknown(action);
    return counted(await this.target.count(filter, MOST_COUNTED + 1));
  }

  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'start-job' } })
  @CommandLine('jobs start', {
    pt: 'Reenvia, relê ou descarta tudo o que combina e espera, como um só trabalho; sem --confirm só mostra quanto',
    en: 'Redrives, reads again or discards all that match and wait, as one job; without --confirm only shows how many',
  })
  @HttpCode(202)
  @ApiOperation({ summary: 'Changes all rows that match and wait now, each in its own transaction, at a limited pace' })
  @ApiAcceptedResponse({ description: 'It has begun, and goes on by itself', type: ShownBulkJob })
  @ApiErrors({ 400: WRONG, 409: 'More rows match than expected, or too many jobs of the tenant run' })
  async start(@Body() request: BulkJobRequest): Promise<ShownBulkJob> {
    const { action, perSecond, note = '', confirm: _, expected: most, ...filter } = request;
    this.#refuseUnknown(action);
    if ((action === 'discard') !== (note.trim() !== '')) {
      throw new BadRequestException('note says why rows are discarded: it is needed for discard, and for nothing else');
    }
    const expected = await this.target.count(filter, MOST_COUNTED + 1);
    if (most !== undefined && expected > most) {
      const message = `${expected} rows match, and ${most} were expected: look at them again, and confirm their number`;
      throw new ConflictException({ code: 'MORE_ROWS', message });
    }
    const job = { action, filter, note: note.trim(), perSecond, expected, requestedBy: currentOperator() };
    return shownJob(await this.jobs.add(job).catch(refuseTooMany));
  }

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('jobs list', {
    pt: 'Lista os trabalhos de um aplicativo, os mais recentes primeiro',
    en: 'Lists the jobs of an app, newest first',
  })
  @ApiOperation({ summary: 'Jobs of the last 30 days, newest first' })
  @ApiPageOf(ShownBulkJob)
  @ApiErrors({ 400: WRONG })
  async list(@Query() query: BulkJobsQuery): Promise<PageOf<ShownBulkJob>> {
    const { before, limit } = pageRequest(query);
    return pageOf((await this.jobs.list(query.tenant ?? null, before, limit + 1)).map(shownJob), limit);
  }

  @Get(':id')
  @Operation({ role: 'see', tenant: 'query', reveals: 'unmasked', action: { name: 'reveal-job', subject: 'id' } })
  @CommandLine('jobs show', { pt: 'Mostra um trabalho e o seu andamento', en: 'Shows a job and its progress' })
  @ApiOperation({ summary: 'A job and its progress' })
  @ApiOkResponse({ description: 'OK', type: ShownBulkJob })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN })
  async show(@Param('id') id: string, @Query() { tenant }: BulkJobQuery): Promise<ShownBulkJob> {
    const job = isId(id) ? await this.jobs.find(id) : null;
    if (job === null || (tenant !== undefined && job.filter.tenant !== tenant)) {
      throw new NotFoundException({ code: 'NOT_FOUND', message: 'No job has this id; GET /api/jobs lists them' });
    }
    return shownJob(job);
  }

  @Post(':id/stop')
  @Operation({ role: 'act', tenant: 'query', action: { name: 'stop-job', subject: 'id' } })
  @CommandLine('jobs stop', {
    pt: 'Para um trabalho: nada mais é alterado',
    en: 'Stops a job: nothing more is changed',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Stops a job: no further row is changed; does nothing to one that is finished' })
  @ApiOkResponse({ description: 'OK', type: ShownBulkJob })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN })
  async stop(@Param('id') id: string, @Query() query: BulkJobQuery): Promise<ShownBulkJob> {
    await this.show(id, query);
    await this.jobs.stop(id);
    return this.show(id, query);
  }

  #refuseUnknown(action: BulkAction): void {
    const { actions } = this.target;
    if (!actions.includes(action)) throw new BadRequestException(`action is one of: ${actions.join(', ')}`);
  }
}

function refuseTooMany(error: unknown): never {
  if (!(error instanceof TooManyJobsError)) throw error;
  throw new ConflictException({ code: 'TOO_MANY_JOBS', message: error.message });
}
