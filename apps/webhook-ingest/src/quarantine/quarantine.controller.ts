import {
  BadRequestException,
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
  UseInterceptors,
} from '@nestjs/common';
import { auditShown } from '@gondola/service-kit/logging/audit';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { OperationsMetrics } from '../operations/operations.metrics.ts';
import { SettleQuarantined } from './settle-quarantined.service.ts';
import { QUARANTINE_REASONS } from '../notifications/read-notification.ts';
import { type QuarantineEntry, QuarantineRepository } from './quarantine.repository.ts';
import { QUARANTINE_STATES } from './quarantine-entry.entity.ts';
import { DatabaseAwayInterceptor } from '../operations/database-away.interceptor.ts';
import {
  bodyFields,
  choiceParam,
  idParam,
  onlyParams,
  pageOf,
  type PageOf,
  pageParams,
  type QueryParams,
  textParam,
  wantsBody,
} from '../operations/request-fields.dto.ts';

interface ReprocessAnswer {
  readonly outcome: 'stored' | 'repeated' | 'still-quarantined';
  readonly reason?: string;
  readonly detail?: string;
}

const MAX_NOTE_LENGTH = 500;

/** What was delivered and not understood (rule 4), newest first, and the two ways out. Lists have no contents. */
@Controller('api/quarantine')
@UseInterceptors(DatabaseAwayInterceptor)
export class QuarantineController {
  readonly #quarantine: QuarantineRepository;
  readonly #settling: SettleQuarantined;
  readonly #metrics: OperationsMetrics;
  readonly #logger: Logger;

  constructor(
    quarantine: QuarantineRepository,
    settling: SettleQuarantined,
    metrics: OperationsMetrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#quarantine = quarantine;
    this.#settling = settling;
    this.#metrics = metrics;
    this.#logger = logger;
  }

  @Get()
  async list(@Query() query: QueryParams): Promise<PageOf<QuarantineEntry>> {
    onlyParams(query, ['tenant', 'reason', 'state', 'before', 'limit']);
    const filter = {
      tenant: textParam(query, 'tenant'),
      reason: choiceParam(query, 'reason', QUARANTINE_REASONS),
      state: choiceParam(query, 'state', QUARANTINE_STATES),
    };
    const { before, limit } = pageParams(query);
    return pageOf(await this.#quarantine.list(filter, before, limit + 1), limit);
  }

  @Get(':id')
  async show(
    @Param('id') text: string,
    @Query() query: QueryParams,
  ): Promise<QuarantineEntry & { readonly bodyBase64?: string | null }> {
    const isBodyWanted = wantsBody(query);
    const id = idParam(text);
    const entry = present(id === null ? null : await this.#quarantine.find(id));
    if (!isBodyWanted) return entry;
    const body = await this.#quarantine.bodyOf(entry.id);
    const { tenant, id: quarantineId } = entry;
    this.#metrics.shown(tenant, 'quarantine');
    auditShown(this.#logger, { kind: 'quarantine', tenant, quarantineId, bytes: body?.length ?? 0 });
    return { ...entry, bodyBase64: body?.toString('base64') ?? null };
  }

  @Post(':id/reprocess')
  @HttpCode(200)
  async reprocess(@Param('id') text: string): Promise<ReprocessAnswer> {
    const id = idParam(text);
    const done = present(id === null ? null : await this.#settling.reprocess(id));
    if (done.kind === 'conflict') throw new ConflictException(done.problem);
    const { kind: outcome, ...why } = done;
    return { outcome, ...why };
  }

  @Post(':id/discard')
  @HttpCode(200)
  async discard(@Param('id') text: string, @Body() body: unknown): Promise<QuarantineEntry> {
    const { note: given } = bodyFields(body, ['note']);
    const note = typeof given === 'string' ? given.trim() : '';
    if (note === '' || note.length > MAX_NOTE_LENGTH || note.includes('\0')) {
      throw new BadRequestException(`note is needed: why it is discarded, in ${MAX_NOTE_LENGTH} characters at most`);
    }
    const id = idParam(text);
    const done = present(id === null ? null : await this.#settling.discard(id, note));
    if ('kind' in done) throw new ConflictException(done.problem);
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
