import { Database } from '@gondola/service-kit/database/database';
import { Controller, Get, Query } from '@nestjs/common';
import { parseExact, type Json, type JsonObject } from '../../domain/exact-json.ts';
import { DeliveryLogRepository } from '../../outbound/delivery-log.repository.ts';
import { RequestsRepository } from '../../outbound/requests.repository.ts';
import { MAX_ENTRIES, afterOf } from './after.ts';

/** What went out and what came in. */
@Controller('admin')
export class AdminLogsController {
  constructor(
    private readonly database: Database,
    private readonly deliveryLog: DeliveryLogRepository,
    private readonly requests: RequestsRepository,
  ) {}

  /** One entry per attempt that has ended. */
  @Get('deliveries')
  async deliveries(@Query('after') after: string | undefined): Promise<JsonObject[]> {
    const attempts = await this.deliveryLog.attemptsAfter(this.database, afterOf(after), MAX_ENTRIES);
    return attempts.map(({ at, body, ...attempt }) => ({
      ...attempt,
      at: at.toISOString(),
      bodyBase64: body.toString('base64'),
    }));
  }

  @Get('dead-letters')
  async deadLetters(): Promise<JsonObject[]> {
    const letters = await this.deliveryLog.deadLetters(this.database, MAX_ENTRIES);
    return letters.map(({ at, body, ...letter }) => ({
      ...letter,
      at: at.toISOString(),
      bodyBase64: body.toString('base64'),
    }));
  }

  /** The newest calls to the platform's routes. `body` is JSON where it was, else text, null where there was none. */
  @Get('requests')
  async received(@Query('after') after: string | undefined): Promise<JsonObject[]> {
    const requests = await this.requests.after(this.database, afterOf(after), MAX_ENTRIES);
    return requests.map(({ at, body, ...request }) => ({ ...request, at: at.toISOString(), body: shown(body) }));
  }
}

function shown(body: Buffer): Json {
  if (body.length === 0) return null;
  const text = body.toString('utf8');
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
