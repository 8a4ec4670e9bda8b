import { z } from 'zod';
import type { Core } from '../core/core.service.ts';
import type { FaultBoard } from '../faults/fault-board.service.ts';
import { FaultsBody, faultKinds } from '../faults/fault.ts';
import { HttpError, badRequest, unknown } from '../http/http-error.ts';
import { listQuery, pageOf } from '../http/page-of.ts';
import type { RequestLog } from '../http/request-log.service.ts';
import { route, type AnyRoute } from '../http/route.ts';
import type { Orders } from '../orders/orders.service.ts';
import type { Products } from '../products/products.service.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { Ids } from '../runtime/ids.service.ts';
import type { Store } from '../store/store.service.ts';
import { DEFAULT_BEHAVIOUR, SwitchesBody, switchKinds } from '../switches/behaviour.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Tenants } from '../tenants/tenants.service.ts';
import { isGuid } from '../values/guid.ts';
import type { Deliveries } from '../webhooks/deliveries.service.ts';
import { isQuiet, type Quiet } from '../webhooks/quiet.service.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.service.ts';
import type { Webhooks } from '../webhooks/webhooks.service.ts';
import { RESET_PARTS, type Reset } from './reset.service.ts';

export interface ControlServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly core: Core;
  readonly quiet: Quiet;
  readonly sender: WebhookSender;
  readonly deliveries: Deliveries;
  readonly webhooks: Webhooks;
  readonly tenants: Tenants;
  readonly products: Products;
  readonly orders: Orders;
  readonly faults: FaultBoard;
  readonly switches: SwitchBoard;
  readonly requests: RequestLog;
  readonly reset: Reset;
  readonly version: string;
  readonly isStored: boolean;
}

const A_GUID = '11111111-1111-4111-8111-111111111111';
const NOW = '2026-11-20T13:15:00.000Z';

const TenantBody = z.object({
  contractAccountId: z.string().refine(isGuid, 'must be a GUID'),
  username: z
    .string()
    .min(1)
    .refine((name) => !name.includes(':'), 'must not hold a colon'),
  password: z.string().min(1),
  apiKey: z.string().min(1),
});
const RawBody = z.object({
  contractAccountId: z.string().optional(),
  headers: z.record(z.string(), z.string().nullable()).default({}),
  bodyBase64: z.base64(),
});
const ClockBody = z.object({
  advanceMs: z
    .int()
    .min(0)
    .max(10 * 365 * 86_400_000)
    .optional(),
  to: z.iso.datetime({ offset: true }).optional(),
});

/** Merchants, faults, switches and the clock; waits, pauses, raw deliveries and reset. */
export function controlRoutes(services: ControlServices): AnyRoute[] {
  return [...merchants(services), ...settings(services), ...time(services), ...sending(services)];
}

function merchants({ tenants, ids, webhooks, products, orders }: ControlServices): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/admin/tenants',
      access: 'admin',
      summary: 'Adds a merchant; again with the same contractAccountId: other credentials, the same shop',
      body: TenantBody,
      example: { contractAccountId: A_GUID, username: 'erp', password: 'erp', apiKey: 'key' },
      answer: { contractAccountId: A_GUID },
      status: 201,
      handle: ({ body }) => {
        tenants.save(body, () => ids.newGuid());
        return { contractAccountId: body.contractAccountId };
      },
    }),
    route({
      method: 'GET',
      path: '/admin/tenants',
      access: 'admin',
      summary: 'All merchants with their webhooks, without secrets',
      query: listQuery({}),
      answer: [{ seq: 1, contractAccountId: A_GUID, username: 'erp', products: 12, orders: 3, webhook: null }],
      handle: ({ query, reply }) => {
        const counts = { products: counted(products.table.values()), orders: counted(orders.table.values()) };
        const { entries, total, next } = pageOf(tenants.all(), query, ({ seq }) => seq);
        void reply.header('x-total', total);
        if (next !== undefined) void reply.header('x-next-after', next);
        return entries.map(({ seq, contractAccountId, username }) => {
          const webhook = webhooks.of(contractAccountId);
          const { authToken, ...registration } = webhook?.registration ?? { authToken: null };
          return {
            seq,
            contractAccountId,
            username,
            products: counts.products.get(contractAccountId) ?? 0,
            orders: counts.orders.get(contractAccountId) ?? 0,
            webhook: webhook ? { id: webhook.id, ...registration, hasToken: authToken !== null } : null,
          };
        });
      },
    }),
  ];
}

function settings({ faults, switches }: ControlServices): AnyRoute[] {
  const [once, often] = [
    { kind: 'error-after', times: 1 },
    { kind: 'error-after', share: 0.1 },
  ];
  return [
    route({
      method: 'POST',
      path: '/admin/faults',
      access: 'admin',
      summary: 'Sets faults, beside those that are set: all of the list, or none',
      body: FaultsBody as unknown as z.ZodType<Parameters<FaultBoard['add']>[0]>,
      example: [{ route: '^POST /v1/batch/Products$', kind: 'error-after', times: 1 }],
      answer: [
        { id: '1', fault: once },
        { id: '2', fault: often },
      ],
      status: 201,
      handle: ({ body }) => faults.add(body),
    }),
    route({
      method: 'GET',
      path: '/admin/faults',
      access: 'admin',
      summary: 'The faults that are set, and how often each matched and struck',
      answer: [
        { id: '1', fault: once, matched: 1, struck: 1 },
        { id: '2', fault: often, matched: 50, struck: 5 },
      ],
      handle: () => [...faults.table.values()],
    }),
    route({
      method: 'DELETE',
      path: '/admin/faults',
      access: 'admin',
      summary: 'Removes all faults',
      status: 204,
      handle: () => faults.clear(),
    }),
    route({
      method: 'DELETE',
      path: '/admin/faults/:id',
      access: 'admin',
      summary: 'Removes a fault',
      parameters: { id: 'Id of the fault' },
      status: 204,
      errors: { 404: 'There is none' },
      handle: ({ params: { id = '' } }) => {
        if (!faults.remove(id)) throw unknown('fault');
      },
    }),
    route({
      method: 'GET',
      path: '/admin/fault-kinds',
      access: 'admin',
      summary: 'What each kind of fault does, and its options',
      answer: [
        {
          kind: 'delay',
          effect: 'The call waits.',
          of: ['call'],
          options: [{ name: 'ms', description: '', schema: {} }],
        },
      ],
      handle: () => faultKinds(),
    }),
    route({
      method: 'GET',
      path: '/admin/switches',
      access: 'admin',
      summary: 'What the platform does where its document leaves it open',
      answer: DEFAULT_BEHAVIOUR,
      answerSchema: SwitchesBody,
      handle: () => switches.behaviour,
    }),
    route({
      method: 'POST',
      path: '/admin/switches',
      access: 'admin',
      summary: 'Changes the switches that are named, for all merchants; they outlive a restart, not a reset',
      body: SwitchesBody,
      example: { transitions: 'strict' },
      answer: { ...DEFAULT_BEHAVIOUR, transitions: 'strict' },
      answerSchema: SwitchesBody,
      handle: ({ body }) => switches.change(body),
    }),
    route({
      method: 'GET',
      path: '/admin/switch-kinds',
      access: 'admin',
      summary: 'What each switch means, and its values',
      answer: [{ name: 'refundsByItself', meaning: 'A cancelled order is refunded.', default: null, schema: {} }],
      handle: () => switchKinds(),
    }),
  ];
}

function time({ clock, store }: ControlServices): AnyRoute[] {
  const shown = () => ({ now: new Date(clock.now()).toISOString(), offsetMs: clock.offsetMs });
  return [
    route({
      method: 'GET',
      path: '/admin/clock',
      access: 'admin',
      summary: 'The sandbox’s time, and what it was advanced by',
      answer: { now: NOW, offsetMs: 0 },
      handle: shown,
    }),
    route({
      method: 'POST',
      path: '/admin/clock',
      access: 'admin',
      summary: 'Advances the clock: cancellations, delays and deliveries that are due by then come now',
      body: ClockBody,
      example: { advanceMs: 60_000 },
      answer: { now: NOW, offsetMs: 60_000 },
      handle: ({ body: { advanceMs, to } }) => {
        if ((advanceMs === undefined) === (to === undefined)) {
          throw badRequest('BODY_INVALID', 'The body must have either advanceMs or to');
        }
        const ms = advanceMs ?? Date.parse(to ?? '') - clock.now();
        if (ms < 0) throw badRequest('BODY_INVALID', 'The clock never goes backwards; a reset sets it to real time');
        store.unit(() => clock.advance(ms));
        return shown();
      },
    }),
  ];
}

function sending(services: ControlServices): AnyRoute[] {
  const { quiet, sender, tenants, reset } = services;
  return [
    route({
      method: 'GET',
      path: '/admin/overview',
      access: 'admin',
      summary: 'What there is and what is under way, in numbers',
      answer: {
        now: NOW,
        clockOffsetMs: 0,
        version: '0.2.0',
        storage: 'memory',
        paused: false,
        waitingOperations: 0,
        pendingDeliveries: 0,
        newestOperation: 12,
        oldestWaitingOperation: null,
        newestAttempt: 9,
        tenants: 1,
        products: 12,
        orders: 3,
        operations: 5,
        notifications: 9,
        deadLetters: 0,
        requests: 20,
        faults: 0,
      },
      handle: () => overview(services),
    }),
    route({
      method: 'POST',
      path: '/admin/idle',
      access: 'admin',
      summary: 'Answers when core and sender have nothing left to do',
      body: z.object({ timeoutMs: z.int().min(0).max(600_000).default(10_000) }),
      example: { timeoutMs: 10_000 },
      answer: { idle: true, waitingOperations: 0, pendingDeliveries: 0 },
      alike: { 504: 'There is still something to do, and idle is false' },
      handle: async ({ body, reply }) => {
        const open = await quiet.wait(body.timeoutMs);
        const idle = isQuiet(open);
        if (!idle) void reply.status(504);
        return { idle, ...open };
      },
    }),
    route({
      method: 'GET',
      path: '/admin/sender',
      access: 'admin',
      summary: 'Whether the webhook sender is paused',
      answer: { paused: false },
      handle: () => ({ paused: sender.paused }),
    }),
    route({
      method: 'POST',
      path: '/admin/sender',
      access: 'admin',
      summary: 'Pauses the webhook sender or lets it go on; answered when nothing is under way',
      body: z.object({ paused: z.boolean() }),
      example: { paused: true },
      answer: { paused: true },
      handle: async ({ body: { paused } }) => {
        await sender.setPaused(paused);
        return { paused };
      },
    }),
    route({
      method: 'POST',
      path: '/admin/send-raw',
      access: 'admin',
      summary: 'Posts any bytes to a merchant’s webhook, once',
      description:
        'Headers replace the usual ones; null removes one. `answer` is the HTTP status, null without an answer.',
      body: RawBody,
      example: { headers: { authorization: null }, bodyBase64: 'e30=' },
      answer: { answer: 401 },
      errors: { 409: 'The merchant has registered no webhook' },
      handle: async ({ body }) => {
        const { contractAccountId } = tenants.chosen(body.contractAccountId);
        const answer = await sender.sendRaw(contractAccountId, body.headers, Buffer.from(body.bodyBase64, 'base64'));
        if (answer === undefined) throw new HttpError(409, 'NO_WEBHOOK', 'This tenant has registered no webhook');
        return { answer };
      },
    }),
    // Numbers and sequences continue, so that later entries are not mistaken for older ones.
    route({
      method: 'POST',
      path: '/admin/reset',
      access: 'admin',
      summary: 'As at the first start: no merchants, no webhooks, nothing queued; or only the named parts',
      body: z.object({ parts: z.array(z.enum(RESET_PARTS)).optional() }),
      example: { parts: ['faults', 'switches'] },
      status: 204,
      handle: ({ body: { parts } }) => reset.carryOut(parts),
    }),
  ];
}

function overview(services: ControlServices): Record<string, unknown> {
  const { clock, quiet, sender, core, deliveries, tenants, products, orders, requests, faults } = services;
  let deadLetters = 0;
  for (const { state } of deliveries.table.values()) if (state === 'dead') deadLetters += 1;
  return {
    now: new Date(clock.now()).toISOString(),
    clockOffsetMs: clock.offsetMs,
    version: services.version,
    storage: services.isStored ? 'journal' : 'memory',
    paused: sender.paused,
    ...quiet.open(),
    newestOperation: core.newest,
    oldestWaitingOperation: core.oldestWaiting,
    newestAttempt: deliveries.newestAttempt,
    tenants: tenants.table.size,
    products: products.table.size,
    orders: orders.table.size,
    operations: core.calls.size,
    notifications: deliveries.table.size,
    deadLetters,
    requests: requests.size,
    faults: faults.table.size,
  };
}

function counted(rows: Iterable<{ readonly contractAccountId: string }>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { contractAccountId } of rows) counts.set(contractAccountId, (counts.get(contractAccountId) ?? 0) + 1);
  return counts;
}
