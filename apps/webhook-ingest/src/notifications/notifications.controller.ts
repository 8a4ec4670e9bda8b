import {
  BadRequestException,
  Controller,
  Get,
  Inject,
  NotFoundException,
  Param,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { OperationsMetrics } from '../operations/operations.metrics.ts';
import { CONFIG } from '@gondola/service-kit/run/injected';
import type { Config } from '../config.ts';
import { auditShown } from '@gondola/service-kit/logging/audit';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { NOTIFICATION_STATES, notificationFilter } from './notification-filter.ts';
import { type NotificationEntry, NotificationSearchRepository } from './notification-search.repository.ts';
import { DatabaseAwayInterceptor } from '../operations/database-away.interceptor.ts';
import {
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

const FILTERS = ['tenant', 'orderNumber', 'operationId', 'eventType', 'entity', 'identity', 'state'] as const;

/**
 * What was received and understood, newest first. Lists have no contents; one of them has it where it is asked for, and
 * that is counted.
 */
@Controller('api/notifications')
@UseInterceptors(DatabaseAwayInterceptor)
export class NotificationsController {
  readonly #notifications: NotificationSearchRepository;
  readonly #metrics: OperationsMetrics;
  readonly #logger: Logger;
  readonly #tenants: readonly string[];

  constructor(
    notifications: NotificationSearchRepository,
    metrics: OperationsMetrics,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) config: Config,
  ) {
    this.#notifications = notifications;
    this.#metrics = metrics;
    this.#logger = logger;
    this.#tenants = config.tenants.map(({ id }) => id);
  }

  @Get()
  async list(@Query() query: QueryParams): Promise<PageOf<NotificationEntry>> {
    onlyParams(query, [...FILTERS, 'before', 'limit']);
    const asked = Object.fromEntries(FILTERS.map((name) => [name, textParam(query, name)]));
    const state = choiceParam(query, 'state', NOTIFICATION_STATES);
    const read = notificationFilter({ ...asked, state }, this.#tenants);
    if (!read.ok) throw new BadRequestException(read.problem);
    const { before, limit } = pageParams(query);
    return pageOf(await this.#notifications.list(read.filter, before, limit + 1), limit);
  }

  @Get(':id')
  async show(
    @Param('id') text: string,
    @Query() query: QueryParams,
  ): Promise<NotificationEntry & { readonly bodyBase64?: string | null }> {
    const isBodyWanted = wantsBody(query);
    const id = idParam(text);
    const entry = id === null ? null : await this.#notifications.find(id);
    if (entry === null) {
      throw new NotFoundException({
        code: 'NOT_FOUND',
        message: 'No notification has this id; GET /api/notifications lists them',
      });
    }
    if (!isBodyWanted) return entry;
    const body = await this.#notifications.bodyOf(entry.id);
    const { tenant, dedupKey } = entry;
    this.#metrics.shown(tenant, 'notification');
    auditShown(this.#logger, { kind: 'notification', tenant, dedupKey, bytes: body?.length ?? 0 });
    return { ...entry, bodyBase64: body?.toString('base64') ?? null };
  }
}
