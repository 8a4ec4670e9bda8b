import {
  BadRequestException,
  Controller,
  Get,
  Inject,
  NotFoundException,
  Param,
  Query,
  UsePipes,
} from '@nestjs/common';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ContentMetrics } from './content.metrics.ts';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Config } from '../config.ts';
import { auditShown } from '@gondola/service-kit/logging/audit';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { notificationFilter } from './notification-filter.ts';
import { NotificationEntity } from './notification.entity.ts';
import { NotificationsRepository } from './notifications.repository.ts';
import { BodyQuery, idParam, NO_ENTRY, WRONG } from './operations.dto.ts';
import { NotificationsQuery, NotificationWithBody } from './notifications.dto.ts';

/**
 * Lists the notifications, newest first. Lists hold no contents; a single notification holds its content on
 * request, and each such request is counted.
 */
@Controller('api/notifications')
@UsePipes(RequestPipe)
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly metrics: ContentMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<Config, 'receivers'>,
  ) {}

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('notifications list', {
    pt: 'Lista notificações, as mais recentes primeiro, sem conteúdo',
    en: 'Lists notifications, newest first, without content',
  })
  @ApiOperation({ summary: 'What was received and understood, newest first, without its content' })
  @ApiPageOf(NotificationEntity)
  @ApiErrors({ 400: WRONG })
  async list(@Query() query: NotificationsQuery): Promise<PageOf<NotificationEntity>> {
    const read = notificationFilter(query, [...this.config.receivers.keys()]);
    if (!read.ok) throw new BadRequestException(read.problem);
    const { before, limit } = pageRequest(query);
    return pageOf(await this.notifications.list(read.filter, before, limit + 1), limit);
  }

  @Get(':id')
  @Operation({ role: 'see', tenant: 'answer', reveals: 'body', action: { name: 'reveal-notification', subject: 'id' } })
  @CommandLine('notifications show', { pt: 'Mostra uma notificação', en: 'Shows a notification' })
  @ApiOperation({ summary: 'One of them' })
  @ApiOkResponse({ description: 'The entry', type: NotificationWithBody })
  @ApiErrors({ 400: WRONG, 404: NO_ENTRY })
  async show(@Param('id') text: string, @Query() { body: wanted }: BodyQuery): Promise<NotificationWithBody> {
    const id = idParam(text);
    const entry = id === null ? null : await this.notifications.find(id);
    if (entry === null) {
      throw new NotFoundException({
        code: 'NOT_FOUND',
        message: 'No notification has this id; GET /api/notifications lists them',
      });
    }
    if (wanted !== 'true') return entry;
    const body = await this.notifications.bodyOf(entry.id);
    const { tenant, dedupKey } = entry;
    this.metrics.shown(tenant, 'notification');
    auditShown(this.logger, { kind: 'notification', tenant, dedupKey, bytes: body?.length ?? 0 });
    return Object.assign(entry, { bodyBase64: body?.toString('base64') ?? null });
  }
}
