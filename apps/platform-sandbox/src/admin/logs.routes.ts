import { z } from 'zod';
import type { Core } from '../core/core.service.ts';
import type { AcceptedCall } from '../core/operation.ts';
import { HttpError, notFound, unknown } from '../http/http-error.ts';
import { MAX_ENTRIES, listQuery, pageOf, type Page } from '../http/page-of.ts';
import type { LoggedRequest, RequestLog } from '../http/request-log.service.ts';
import { route, type AnyRoute, type Call } from '../http/route.ts';
import type { Signals } from '../runtime/signals.ts';
import type { Store } from '../store/store.service.ts';
import { parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import type { Deliveries, Delivery } from '../webhooks/deliveries.service.ts';
import type { Notifier, StoredRejection } from '../webhooks/notifier.service.ts';
import type { Webhooks } from '../webhooks/webhooks.service.ts';
import { DEAD_LETTERS, DELIVERIES, NOTIFICATIONS, OPERATION, REJECTIONS, REQUESTS } from './log-examples.ts';

export interface LogServices {
  readonly store: Store;
  readonly signals: Signals;
  readonly core: Core;
  readonly notifier: Notifier;
  readonly deliveries: Deliveries;
  readonly webhooks: Webhooks;
  readonly requests: RequestLog;
}

const SHOWN_REJECTIONS = 10;
const whole = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .optional();
const text = z.string().optional();
const ABOUT = {
  eventType: text,
  operationId: text,
  orderNumber: whole.describe('Number of the order'),
  product: text.describe('Reference of the product, or of another entity'),
};
const DeliveriesQuery = listQuery(
  { ...ABOUT, answer: text.describe('An HTTP status, or `none`'), notification: whole },
  MAX_ENTRIES,
);
const NotificationsQuery = listQuery({ ...ABOUT, state: z.enum(['pending', 'delivered', 'dead', 'lost']).optional() });
const DeadLettersQuery = listQuery(ABOUT, MAX_ENTRIES);
const OPERATION_OUTCOMES = ['waiting', 'taken', 'refused', 'partly-refused', 'silent', 'crashed'] as const;
const OperationsQuery = listQuery(
  { kind: text, outcome: z.enum(OPERATION_OUTCOMES).optional(), orderNumber: whole, operationId: text },
  MAX_ENTRIES,
);
const RequestsQuery = listQuery(
  {
    method: text,
    path: text.describe('A part of the path'),
    status: text.describe('`400`, `4xx`, or `none`'),
    operationId: text,
  },
  MAX_ENTRIES,
);

/** Logs of received calls, of the core's operations, and of sent notifications. */
export function logRoutes(services: LogServices): AnyRoute[] {
  const { core, notifier, deliveries, requests } = services;
  const isAbout = (delivery: Delivery, query: Partial<z.output<typeof DeadLettersQuery>>): boolean =>
    isOf(delivery.contractAccountId, query.contractAccountId) &&
    (query.eventType ?? delivery.eventType) === delivery.eventType &&
    (query.operationId ?? delivery.operationId) === delivery.operationId &&
    (query.orderNumber ?? delivery.orderNumber) === delivery.orderNumber &&
    (query.product ?? delivery.reference) === delivery.reference;
  const notificationOf = ({
    seq,
    eventType,
    operationId,
    contractAccountId,
    orderNumber,
    reference,
    status,
  }: Delivery): JsonObject => {
    const bytes = deliveries.bodyOf(seq);
    const subject = { orderNumber, status, reference };
    return {
      eventType,
      operationId,
      contractAccountId,
      ...subject,
      body: jsonOf(bytes),
      bodyBase64: bytes.toString('base64'),
    };
  };
  const resend = (delivery: Delivery | undefined): { notification: number } => {
    if (delivery === undefined) throw unknown('notification');
    if (services.webhooks.of(delivery.contractAccountId) === undefined) {
      throw new HttpError(409, 'NO_WEBHOOK', 'This tenant has registered no webhook');
    }
    const body = deliveries.bodyOf(delivery.seq);
    const { operationId, contractAccountId, eventType, orderNumber, status, reference } = delivery;
    const again = { operationId, contractAccountId, eventType, orderNumber, status, reference, body };
    const notification = services.store.unit(() => deliveries.add({ ...again, copies: 1, delayMs: 0, lost: false }));
    services.signals.sender.give();
    return { notification };
  };
  const operationView = (call: AcceptedCall): JsonObject => {
    const rejections = notifier.rejectionsOf(call.operationId);
    const sent = deliveries.ofOperation(call.operationId);
    const { seq, operationId, contractAccountId, kind, waiting, silent, crashed } = call;
    return {
      seq,
      operationId,
      contractAccountId,
      kind,
      acceptedAt: timeText(call.acceptedAt),
      endedAt: waiting > 0 || call.endedAt === null ? null : timeText(call.endedAt),
      waiting,
      taken: call.applied,
      silent,
      crashed,
      rejected: rejections.length,
      outcome: outcomeOf(call, rejections.length),
      orderNumber: sent.find(({ orderNumber }) => orderNumber !== null)?.orderNumber ?? null,
      notifications: sent.map((one) => ({
        seq: one.seq,
        eventType: one.eventType,
        status: one.status,
        state: one.state,
        attempts: one.attempts.length,
      })),
    };
  };
  return [
    route({
      method: 'GET',
      path: '/admin/deliveries',
      access: 'admin',
      summary: 'Attempts to deliver a notification that have ended',
      query: DeliveriesQuery,
      answer: DELIVERIES,
      handle: (call) => {
        const { query } = call;
        const attempts = [...deliveries.table.values()].flatMap((delivery) => {
          const isWanted = isAbout(delivery, query) && (query.notification ?? delivery.seq) === delivery.seq;
          return isWanted
            ? delivery.attempts.map((attempt, index) => ({ ...attempt, number: index + 1, delivery }))
            : [];
        });
        const ended = attempts.filter(
          ({ seq, answer }) =>
            seq !== null && (query.answer === undefined || query.answer === String(answer ?? 'none')),
        );
        return shown(
          call,
          pageOf(ended, query, ({ seq }) => seq ?? 0),
          ({ seq, at, number, answer, delivery }) => ({
            seq,
            at: timeText(at),
            attempt: number,
            answer,
            notification: delivery.seq,
            ...notificationOf(delivery),
          }),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/admin/notifications',
      access: 'admin',
      summary: 'What is or was to be sent to the merchants, one entry per notification',
      query: NotificationsQuery,
      answer: NOTIFICATIONS,
      handle: (call) => {
        const { query } = call;
        const all = [...deliveries.table.values()].filter(
          (delivery) => isAbout(delivery, query) && (query.state ?? delivery.state) === delivery.state,
        );
        return shown(
          call,
          pageOf(all, query, ({ seq }) => seq),
          (delivery) => ({
            seq: delivery.seq,
            state: delivery.state,
            createdAt: timeText(delivery.createdAt),
            dueAt: timeText(delivery.dueAt),
            endedAt: delivery.endedAt === null ? null : timeText(delivery.endedAt),
            attempts: delivery.attempts.map(({ at, seq, answer }, index) => ({
              attempt: index + 1,
              at: timeText(at),
              answer: seq === null ? 'under way' : answer,
              seq,
            })),
            ...notificationOf(delivery),
          }),
        );
      },
    }),
    route({
      method: 'POST',
      path: '/admin/notifications/:seq/resend',
      access: 'admin',
      summary: 'Sends the same bytes again, as a new notification',
      parameters: { seq: '`seq` of the notification' },
      answer: { notification: 12 },
      errors: { 404: 'There is none', 409: 'The merchant has registered no webhook' },
      handle: ({ params: { seq } }) => resend(deliveries.table.get(Number(seq))),
    }),
    route({
      method: 'POST',
      path: '/admin/deliveries/:seq/resend',
      access: 'admin',
      summary: 'Sends the same bytes again, as a new notification',
      parameters: { seq: '`seq` of the attempt' },
      answer: { notification: 12 },
      errors: { 404: 'There is none', 409: 'The merchant has registered no webhook' },
      handle: ({ params: { seq } }) => resend(deliveries.table.get(deliveries.byAttempt.get(Number(seq)) ?? -1)),
    }),
    route({
      method: 'GET',
      path: '/admin/dead-letters',
      access: 'admin',
      summary: 'Notifications that no attempt delivered',
      query: DeadLettersQuery,
      answer: DEAD_LETTERS,
      handle: (call) => {
        const dead = [...deliveries.table.values()].filter((one) => one.state === 'dead' && isAbout(one, call.query));
        return shown(
          call,
          pageOf(dead, call.query, ({ seq }) => seq),
          (letter) => ({
            seq: letter.seq,
            at: letter.endedAt === null ? null : timeText(letter.endedAt),
            attempts: letter.attempts.length,
            ...notificationOf(letter),
          }),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/admin/operations',
      access: 'admin',
      summary: 'Accepted calls, and what became of each',
      query: OperationsQuery,
      answer: [{ ...OPERATION, rejections: REJECTIONS }],
      handle: (call) => {
        const { query } = call;
        const all = [...core.calls.values()].filter(
          (one) =>
            isOf(one.contractAccountId, query.contractAccountId) &&
            (query.kind ?? one.kind) === one.kind &&
            (query.operationId ?? one.operationId) === one.operationId &&
            (query.outcome === undefined ||
              query.outcome === outcomeOf(one, notifier.rejectionsOf(one.operationId).length)) &&
            (query.orderNumber === undefined ||
              deliveries.ofOperation(one.operationId).some((sent) => sent.orderNumber === query.orderNumber)),
        );
        return shown(
          call,
          pageOf(all, query, ({ seq }) => seq),
          (one) => ({
            ...operationView(one),
            rejections: notifier.rejectionsOf(one.operationId).slice(0, SHOWN_REJECTIONS).map(rejectionView),
          }),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/admin/operations/:operationId',
      access: 'admin',
      summary: 'One accepted call, with what the core refused of it and why',
      parameters: { operationId: ['As the call was answered', { type: 'string', format: 'uuid' }] },
      answer: { ...OPERATION, rejections: REJECTIONS },
      errors: { 404: 'There is none' },
      handle: ({ params: { operationId = '' } }) => {
        const call = core.calls.get(operationId);
        if (call === undefined) {
          throw notFound('UNKNOWN', 'There is no operation with this id, or its entry was deleted');
        }
        const rejections = notifier.rejectionsOf(operationId).slice(0, MAX_ENTRIES);
        return { ...operationView(call), rejections: rejections.map(rejectionView) };
      },
    }),
    route({
      method: 'GET',
      path: '/admin/requests',
      access: 'admin',
      summary: 'Calls to the routes of the platform since the start, refused ones included; the newest 5,000 stay',
      query: RequestsQuery,
      answer: REQUESTS,
      handle: (call) => {
        const { query } = call;
        const all = [...requests.values()].filter(
          (one) =>
            isOf(one.contractAccountId ?? '', query.contractAccountId) &&
            (query.method ?? one.method).toUpperCase() === one.method &&
            one.path.includes(query.path ?? '') &&
            (query.operationId ?? one.operationId) === one.operationId &&
            hasStatus(one, query.status),
        );
        return shown(
          call,
          pageOf(all, query, ({ seq }) => seq),
          ({ at, body, ...request }) => ({
            ...request,
            at: timeText(at),
            body: body.length === 0 ? null : (jsonOf(body) ?? body.toString('utf8')),
          }),
        );
      },
    }),
  ];
}

/** The entries of a page, with what leads to the next one in the headers. */
export function shown<T>(
  { reply }: Pick<Call, 'reply'>,
  { entries, total, next }: Page<T>,
  view: (entry: T) => unknown,
): unknown[] {
  void reply.header('x-total', total);
  if (next !== undefined) void reply.header('x-next-after', next);
  return entries.map(view);
}

export function isOf(contractAccountId: string, wanted: string | undefined): boolean {
  return wanted === undefined || wanted.toLowerCase() === contractAccountId.toLowerCase();
}

function hasStatus({ status }: LoggedRequest, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const given = status === null ? 'none' : String(status);
  return wanted.endsWith('xx') ? given.startsWith(wanted.slice(0, 1)) : given === wanted;
}

function rejectionView({ at, eventType, about, sku, error }: StoredRejection): JsonObject {
  return { at: timeText(at), eventType, about, sku, error };
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

/** JSON with its digits, or null if the bytes are none. */
function jsonOf(bytes: Buffer): Json {
  try {
    return parseExact(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

function outcomeOf(call: AcceptedCall, rejected: number): (typeof OPERATION_OUTCOMES)[number] {
  if (call.waiting > 0) return 'waiting';
  if (call.crashed > 0) return 'crashed';
  if (call.silent > 0) return 'silent';
  if (rejected === 0) return 'taken';
  return rejected >= call.applied ? 'refused' : 'partly-refused';
}
