import { Controller, Get, Query } from '@nestjs/common';
import { NotificationsRepository, type QuarantineEntry } from '../outbound/notifications.repository.ts';

interface QuarantinePage {
  readonly entries: QuarantineEntry[];
  /** To be given as `before` for the next page; null on the last one. */
  readonly next: string | null;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** Above every id: PostgreSQL's largest bigint. */
const NEWEST = '9223372036854775807';

/** What was delivered and not understood (rule 4), newest first. Its content may be personal and is not shown. */
@Controller('api/quarantine')
export class QuarantineController {
  readonly #notifications: NotificationsRepository;

  constructor(notifications: NotificationsRepository) {
    this.#notifications = notifications;
  }

  @Get()
  async list(@Query('before') before?: string, @Query('limit') limit?: string): Promise<QuarantinePage> {
    const wanted = limitOf(limit);
    const found = await this.#notifications.listQuarantine(idOf(before), wanted + 1);
    const entries = found.slice(0, wanted);
    return { entries, next: found.length > wanted ? (entries.at(-1)?.id ?? null) : null };
  }
}

function limitOf(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_LIMIT) : DEFAULT_LIMIT;
}

function idOf(text: string | undefined): string {
  return text !== undefined && /^\d{1,18}$/.test(text) ? text : NEWEST;
}
