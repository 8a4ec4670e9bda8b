import { Database } from '@gondola/service-kit/database/database';
import { BadRequestException, Get, NotFoundException, Param, Query } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { AdminRoutes, MAX_ENTRIES, NOT_FOUND } from '../http/admin-routes.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { DEAD_LETTERS, DELIVERIES, OPERATION, REJECTION, REQUESTS } from '../openapi/examples.ts';
import { BODY_INVALID } from '../openapi/route-document.adapter.ts';
import { GUID } from '../openapi/schemas.ts';
import { parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { DeliveryAttemptEntity, DeliveryEntity } from '../webhooks/delivery.entity.ts';
import { OperationLogRepository, type LoggedOperation } from './operation-log.repository.ts';
import { RejectionEntity } from './rejection.entity.ts';
import { RequestEntity } from './request.entity.ts';

/** Logs of received calls, of the core's operations, and of sent notifications. */
@AdminRoutes()
export class LogsController {
  constructor(
    private readonly database: Database,
    private readonly operationLog: OperationLogRepository,
  ) {}

  @Get('deliveries')
  @Describe({
    summary: 'Attempts to deliver a notification that have ended',
    answer: DELIVERIES,
    errors: BODY_INVALID,
  })
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
  @Describe({ summary: 'Notifications that no attempt delivered', answer: DEAD_LETTERS })
  async deadLetters(): Promise<JsonObject[]> {
    const query = { where: { state: 'dead' }, order: { id: 'ASC' }, take: MAX_ENTRIES } as const;
    const letters = await this.database.repository(DeliveryEntity).find(query);
    return letters.map((letter) => ({
      at: letter.endedAt?.toISOString() ?? null,
      attempts: letter.attempts,
      ...notificationOf(letter),
    }));
  }

  @Get('operations')
  @Describe({
    summary: 'Accepted calls, and what became of their items',
    answer: [OPERATION],
    errors: BODY_INVALID,
  })
  async operations(@Query('after') after: string | undefined): Promise<JsonObject[]> {
    return (await this.operationLog.after(afterOf(after), MAX_ENTRIES)).map(operationView);
  }

  @Get('operations/:operationId')
  @Describe({
    summary: 'One accepted call, with what the core refused of it and why',
    parameters: { operationId: ['As the call was answered', GUID] },
    answer: { ...OPERATION, rejections: [REJECTION] },
    errors: NOT_FOUND,
  })
  async operation(@Param('operationId') operationId: string): Promise<JsonObject> {
    const operation = await this.operationLog.find(operationId);
    if (operation === undefined) {
      throw new NotFoundException({
        code: 'UNKNOWN',
        message: 'There is no operation with this id, or its entry was deleted',
      });
    }
    const query = { where: { operationId }, order: { id: 'ASC' }, take: MAX_ENTRIES } as const;
    const rejections = await this.database.repository(RejectionEntity).find(query);
    return {
      ...operationView(operation),
      rejections: rejections.map(({ at, eventType, about, sku, error }) => ({
        at: at.toISOString(),
        eventType,
        about,
        sku,
        error,
      })),
    };
  }

  /** The newest calls to the platform's routes. `body` is JSON if possible, else text, null without a body. */
  @Get('requests')
  @Describe({
    summary: 'Calls to the routes of the platform, refused ones included; the newest 5,000 stay',
    answer: REQUESTS,
    errors: BODY_INVALID,
  })
  async requests(@Query('after') after: string | undefined): Promise<JsonObject[]> {
    const query = { where: { seq: MoreThan(afterOf(after)) }, order: { seq: 'ASC' }, take: MAX_ENTRIES } as const;
    const requests = await this.database.repository(RequestEntity).find(query);
    return requests.map(({ at, body, ...request }) => ({ ...request, at: at.toISOString(), body: shown(body) }));
  }
}

/** `?after=N` of a log; without it, from the beginning. */
function afterOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BadRequestException({ code: 'AFTER', message: 'after must be a whole number' });
}

function notificationOf({ eventType, operationId, contractAccountId, body }: DeliveryEntity): JsonObject {
  return { eventType, operationId, contractAccountId, bodyBase64: body.toString('base64') };
}

function operationView({ acceptedAt, endedAt, ...operation }: LoggedOperation): JsonObject {
  return { ...operation, acceptedAt: acceptedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null };
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
