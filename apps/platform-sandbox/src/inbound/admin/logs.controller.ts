import { Database } from '@gondola/service-kit/database/database';
import { Controller, Get, Query } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { parseExact, type Json, type JsonObject } from '../../domain/exact-json.ts';
import { DeliveryAttemptEntity, DeliveryEntity } from '../../outbound/delivery.entity.ts';
import { RequestEntity } from '../../outbound/request.entity.ts';
import { MAX_ENTRIES, afterOf } from './after.ts';

/** What went out and what came in. */
@Controller('admin')
export class AdminLogsController {
  constructor(private readonly database: Database) {}

  /** One entry per attempt that has ended. */
  @Get('deliveries')
  async deliveries(@Query('after') after: string | undefined): Promise<JsonObject[]> {
    const attempts = await this.database
      .repository(DeliveryAttemptEntity)
      .createQueryBuilder('attempt')
      .innerJoinAndSelect('attempt.delivery', 'delivery')
      .where('attempt.seq > :after', { after: afterOf(after) })
      .orderBy('attempt.seq')
      .limit(MAX_ENTRIES)
      .getMany();
    return attempts.map(({ seq, at, attempt, answer, delivery }) => ({
      seq,
      at: at.toISOString(),
      attempt,
      answer,
      ...notificationOf(delivery),
    }));
  }

  @Get('dead-letters')
  async deadLetters(): Promise<JsonObject[]> {
    const query = { where: { state: 'dead' }, order: { id: 'ASC' }, take: MAX_ENTRIES } as const;
    const letters = await this.database.repository(DeliveryEntity).find(query);
    return letters.map((letter) => ({
      at: letter.endedAt?.toISOString() ?? null,
      attempts: letter.attempts,
      ...notificationOf(letter),
    }));
  }

  /** The newest calls to the platform's routes. `body` is JSON where it was, else text, null where there was none. */
  @Get('requests')
  async received(@Query('after') after: string | undefined): Promise<JsonObject[]> {
    const query = { where: { seq: MoreThan(afterOf(after)) }, order: { seq: 'ASC' }, take: MAX_ENTRIES } as const;
    const requests = await this.database.repository(RequestEntity).find(query);
    return requests.map(({ at, body, ...request }) => ({ ...request, at: at.toISOString(), body: shown(body) }));
  }
}

function notificationOf({ eventType, operationId, contractAccountId, body }: DeliveryEntity): JsonObject {
  return { eventType, operationId, contractAccountId, bodyBase64: body.toString('base64') };
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
