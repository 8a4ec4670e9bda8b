import {
  Body,
  ConflictException,
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
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { auditShown } from '@gondola/service-kit/logging/audit';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { ContentMetrics } from '../inbox/content.metrics.ts';
import { SettleQuarantined } from './settle-quarantined.service.ts';
import { OpenQuarantine } from './open-quarantine.service.ts';
import { QuarantineEntryEntity } from './quarantine-entry.entity.ts';
import { QuarantineRepository } from './quarantine.repository.ts';
import { BodyQuery, idParam, NO_ENTRY, WRONG } from '../inbox/operations.dto.ts';
import {
  Discard,
  GroupsQuery,
  QuarantineEntryWithBody,
  QuarantineGroups,
  QuarantineQuery,
  Reprocessed,
  ReprocessedEntries,
  ReprocessRequest,
} from './quarantine.dto.ts';

/** Lists deliveries that were not understood (rule 4), newest first, and settles them. Lists hold no contents. */
@Controller('api/quarantine')
@UsePipes(RequestPipe)
export class QuarantineController {
  constructor(
    private readonly quarantine: QuarantineRepository,
    private readonly settling: SettleQuarantined,
    private readonly open: OpenQuarantine,
    private readonly metrics: ContentMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('notifications quarantine', {
    pt: 'Lista as entregas que não foram entendidas, ou mostra uma entrada',
    en: 'Lists deliveries that were not understood, or shows one entry',
  })
  @ApiOperation({ summary: 'What was delivered and not understood, newest first, without its content' })
  @ApiPageOf(QuarantineEntryEntity)
  @ApiErrors({ 400: WRONG })
  async list(@Query() query: QuarantineQuery): Promise<PageOf<QuarantineEntryEntity>> {
    const { before, limit } = pageRequest(query);
    return pageOf(await this.quarantine.list(query, before, limit + 1), limit);
  }

  @Get('groups')
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'Open entries by tenant, reason and detail, at most 200 groups' })
  @ApiOkResponse({ description: 'OK', type: QuarantineGroups })
  @ApiErrors({ 400: WRONG })
  async groups(@Query() { tenant }: GroupsQuery): Promise<QuarantineGroups> {
    return { groups: await this.open.groups(tenant ?? null) };
  }

  @Get(':id')
  @Operation({ role: 'see', tenant: 'answer', reveals: 'body', action: { name: 'reveal-quarantine', subject: 'id' } })
  @CommandLine('notifications quarantine/one')
  @ApiOperation({ summary: 'One of them' })
  @ApiOkResponse({ description: 'The entry', type: QuarantineEntryWithBody })
  @ApiErrors({ 400: WRONG, 404: NO_ENTRY })
  async show(@Param('id') text: string, @Query() { body: wanted }: BodyQuery): Promise<QuarantineEntryWithBody> {
    const id = idParam(text);
    const entry = present(id === null ? null : await this.quarantine.find(id));
    if (wanted !== 'true') return entry;
    const body = await this.quarantine.bodyOf(entry.id);
    const { tenant, id: quarantineId } = entry;
    this.metrics.shown(tenant, 'quarantine');
    auditShown(this.logger, { kind: 'quarantine', tenant, quarantineId, bytes: body?.length ?? 0 });
    return Object.assign(entry, { bodyBase64: body?.toString('base64') ?? null });
  }

  @Post('reprocess')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'reprocess-all-quarantine' } })
  @CommandLine('notifications reprocess', {
    pt: 'Lê de novo uma entrada da quarentena, depois de uma correção, ou todas as abertas; de todas, sem --confirm, só mostra quantas',
    en: 'Reads an entry of the quarantine again, after a fix, or all open ones; of all, without --confirm only shows how many',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Reads the stored bytes of open entries again, the oldest first' })
  @ApiOkResponse({ description: 'What became of the entries that were read again', type: ReprocessedEntries })
  @ApiErrors({ 400: WRONG })
  async reprocessAll(@Body() request: ReprocessRequest): Promise<ReprocessedEntries> {
    return this.settling.reprocessAll(request);
  }

  @Post(':id/reprocess')
  @Operation({
    role: 'act',
    tenant: { at: '/api/quarantine/{id}' },
    action: { name: 'reprocess-quarantine', subject: 'id' },
  })
  @CommandLine('notifications reprocess/one')
  @HttpCode(200)
  @ApiOperation({ summary: 'Reads the stored bytes again, by today’s rules' })
  @ApiOkResponse({
    description: 'Result of reading the entry again; a repeated request answers repeated',
    type: Reprocessed,
  })
  @ApiErrors({ 404: NO_ENTRY, 409: 'It was discarded, its content is erased, or its tenant is not configured' })
  async reprocess(@Param('id') text: string): Promise<Reprocessed> {
    const id = idParam(text);
    const done = present(id === null ? null : await this.settling.reprocess(id));
    if (done.outcome === 'conflict') throw new ConflictException(done.problem);
    return done;
  }

  @Post(':id/discard')
  @Operation({
    role: 'act',
    tenant: { at: '/api/quarantine/{id}' },
    action: { name: 'discard-quarantine', subject: 'id' },
  })
  @CommandLine('notifications discard', {
    pt: 'Descarta uma entrada da quarentena, com uma nota que fica armazenada',
    en: 'Discards an entry of the quarantine, with a note that is stored',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Closes an entry that is of no use; its content is stored as long as any other' })
  @ApiOkResponse({ description: 'The entry; the note of the first time stays', type: QuarantineEntryEntity })
  @ApiErrors({ 400: WRONG, 404: NO_ENTRY, 409: 'It became a notification' })
  async discard(@Param('id') text: string, @Body() { note }: Discard): Promise<QuarantineEntryEntity> {
    const id = idParam(text);
    const done = present(id === null ? null : await this.settling.discard(id, note.trim()));
    if ('problem' in done) throw new ConflictException(done.problem);
    return done;
  }
}

function present<T>(found: T | null): T {
  if (found !== null) return found;
  throw new NotFoundException({
    code: 'NOT_FOUND',
    message: 'No entry of the quarantine has this id; GET /api/quarantine lists them',
  });
}
