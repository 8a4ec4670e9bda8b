import { Controller, Get } from '@nestjs/common';
import { NotificationsRepository, type QuarantineEntry } from '../outbound/notifications.repository.ts';

const LIMIT = 200;

/** What was delivered and not understood (rule 4). Its content may be personal and is not shown. */
@Controller('api/quarantine')
export class QuarantineController {
  readonly #notifications: NotificationsRepository;

  constructor(notifications: NotificationsRepository) {
    this.#notifications = notifications;
  }

  @Get()
  async list(): Promise<{ entries: QuarantineEntry[] }> {
    return { entries: await this.#notifications.listQuarantine(LIMIT) };
  }
}
