import { createKafka } from '@gondola/kafka/client/kafka-client';
import { topicRemains, type TopicRemains } from '@gondola/kafka/topics/topic-remains';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Clock } from '@gondola/service-kit/run/clock';
import { DAY_MS } from '@gondola/shared/durations';
import { Inject, Injectable } from '@nestjs/common';
import { APP, type Config } from '../config.ts';
import { orderOfBody } from '../notifications/identity-fields.ts';
import type { AnsweredErasure } from './erasures.dto.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { ContentMetrics } from '../inbox/content.metrics.ts';
import { type UserErasure, UserErasuresRepository } from '../inbox/user-erasures.repository.ts';

/** Bodies in one statement; fewer from the quarantine, because those are read. */
const BATCH = 500;
const READ_BATCH = 20;

/**
 * Erases the bodies of notifications and of quarantine entries about an order, or of a shopper. One about an order that
 * still waits is published first and then erased, because it exists nowhere else; one in a spool is erased once it is
 * imported. The repeated `apply` does both. Tested in erasures.int.spec.ts, user-erasures.int.spec.ts.
 */
@Injectable()
export class EraseReceived {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly users: UserErasuresRepository,
    private readonly metrics: ContentMetrics,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'kafka'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores the request and erases the bodies that can be erased now. */
  async order(tenant: string, orderNumber: string): Promise<AnsweredErasure> {
    const at = new Date(this.clock.now());
    const id = await this.erasures.add(tenant, orderNumber, at);
    this.logger.info({ tenant, orderNumber }, 'The erasure of an order was requested');
    await this.apply(() => false);
    const erasure = await this.erasures.find(id);
    if (erasure === null) throw new Error('The erasure that was just stored cannot be found');
    return Object.assign(erasure, { topics: await this.#topics(at) });
  }

  /** Content that arrives for as long as bodies are stored is recognised, and not stored. */
  async user({ id, webhook }: TenantConfig<'webhook'>, email: string): Promise<UserErasure> {
    const at = this.clock.now();
    const until = new Date(at + webhook.retention.bodyDays * DAY_MS);
    const erasure = await this.users.run(id, email, new Date(at), until);
    this.metrics.erased(id, erasure);
    this.logger.info({ tenant: id }, 'The content of a shopper was erased');
    return erasure;
  }

  /** Erases the bodies of all requests that can be erased now; returns early when the app stops. */
  async apply(isStopping: () => boolean): Promise<void> {
    await this.#readQuarantine(isStopping);
    while (!isStopping()) {
      const counts = await this.erasures.apply(BATCH);
      for (const { tenant, ...erased } of counts) this.metrics.erased(tenant, erased);
      if (counts.length === 0) return;
    }
  }

  async #topics(at: Date): Promise<TopicRemains[] | null> {
    const { kafka } = this.config;
    const client = createKafka(kafka, `gondola.${APP}.topics`, this.logger);
    return topicRemains({ kafka: client, prefix: kafka.topicPrefix }, ['platform.notifications.orders.v1'], at);
  }

  async #readQuarantine(isStopping: () => boolean): Promise<void> {
    while (!isStopping()) {
      const unread = await this.erasures.unreadQuarantined(READ_BATCH);
      const found = unread.map(({ id, body }) => ({ id, subject: body === null ? null : orderOfBody(body) }));
      if (found.length > 0) await this.erasures.noteSubjects(found);
      if (found.length < READ_BATCH) return;
    }
  }
}
