import { createHash } from 'node:crypto';
import { type AppName, CONSUMERS } from '../src/operations-api/addresses.ts';

/** A call as it arrived. */
export interface Received {
  readonly app: AppName;
  readonly method: string;
  /** Decoded, starting with `/api`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly token: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

interface Stored {
  readonly id: string;
}

export const BODY = '{"operationId":"o-1","data":{"customer":"Cliente Teste 01"}}';
const LONGEST_PAGE = 200;

/** 450 notifications, newest first: more than two pages. */
const NOTIFICATIONS = Array.from({ length: 450 }, (_each, index) => ({
  id: String(450 - index),
  tenant: 'acme',
  operationId: `o-${450 - index}`,
  eventType: 'Order_Updated',
  relatedEntity: 'Order',
  subject: 'order/100234',
  topic: 'platform.notifications.orders.v1',
  dedupKey: `acme:o-${450 - index}:Order_Updated:00`,
  bytes: 6000,
  receivedAt: '2026-11-20T13:15:02.114Z',
  state: 'sent',
  sentAt: '2026-11-20T13:15:02.214Z',
  parkedReason: null,
}));

const QUARANTINE = ['17', '16'].map((id) => ({
  id,
  tenant: 'acme',
  reason: 'NOT_JSON',
  detail: 'Unexpected end',
  bytes: BODY.length,
  receivedAt: '2026-11-20T13:15:02.114Z',
  state: 'open',
}));

const OUTCOMES: Record<string, object> = {
  '17': { outcome: 'stored' },
  '16': { outcome: 'still-quarantined', reason: 'NOT_JSON' },
};

const LETTERS = CONSUMERS.flatMap((app, index) =>
  [0, 1].map((offset) => ({
    app,
    letter: {
      id: `gondola.${app}/erp.orders.commands.v1/0/${offset}`,
      group: `gondola.${app}`,
      topic: 'erp.orders.commands.v1',
      partition: 0,
      offset: String(offset),
      tenant: null,
      code: 'NOT_JSON',
      reason: 'The value is no JSON object',
      deadAt: `2026-11-20T13:${10 * offset + 10 + index}:00.000Z`,
      redriven: 0,
      redrivenAt: null,
    },
  })),
);

const STATUS = { code: 400, name: 'ORDER_BEING_PREPARED' };
const AT = '2026-11-20T13:15:02.114Z';

/** 60 orders, newest first: more than the default limit. */
const ORDERS = Array.from({ length: 60 }, (_each, index) => ({
  id: String(60 - index),
  tenant: 'acme',
  orderNumber: String(100_060 - index),
  orderId: null,
  status: STATUS,
  statusSince: AT,
  revision: 2,
  attention: [{ code: 'NOT_PREPARED', since: AT, waitsFor: 'erp' }],
}));

const TIMELINE = [
  { at: AT, kind: 'fact', source: 'notification', eventType: 'Order_Updated', operationId: null, status: STATUS },
  { at: AT, kind: 'attempt', commandId: 'c/88', step: 'status', answer: { kind: 'refused', status: 422, cause: null } },
  { at: AT, kind: 'event', type: 'OrderApproved', revision: 1, status: STATUS, cause: 'platform', commandId: null },
];

function orderAnswer({ query }: Received, orderNumber: string) {
  const firstName = query['reveal'] === 'true' ? 'Cliente Teste 01' : 'C***';
  const items = [
    { line: 1, skuExternalReference: '4711-1', name: 'Queijo', orderedQuantity: 3, unitOfMeasure: 'Kg', net: '12.45' },
  ];
  const waits = { for: 'earlier-command', commandId: 'c-87' };
  const openCommands = [{ commandId: 'c/88', command: 'Ship', receivedAt: AT, attempts: 0, waits }];
  const people = { customer: { firstName }, address: {}, payments: [] };
  return {
    tenant: 'acme',
    orderNumber,
    status: STATUS,
    values: { items },
    people,
    facts: [],
    openCommands,
    timeline: TIMELINE,
  };
}

function ordersAnswer(call: Received): Answer | null {
  const [, collection, id, deed] =
    /^\/api\/(orders|commands)(?:\/(.+?))?(?:\/(withdraw|refresh|release|details))?$/.exec(call.path) ?? [];
  if (deed === 'refresh' || deed === 'release') {
    return { status: 202, body: { commandId: `${deed}-1`, orderNumber: id } };
  }
  if (deed === 'details') return ok({ tenant: 'acme', orderNumber: id, details: '{ "id": 1.0 }', truncated: false });
  if (collection === 'orders') return ok(id === undefined ? pageOf(ORDERS, call) : orderAnswer(call, id));
  if (collection !== 'commands' || id === undefined) return null;
  if (deed === 'withdraw') return { status: 202, body: { commandId: 'withdraw-1', withdraws: id } };
  return ok({
    tenant: 'acme',
    orderNumber: '100060',
    commandId: id,
    command: 'Ship',
    outcome: null,
    timeline: TIMELINE,
  });
}

/** Answer of an app with dead letters to an erasure. */
function erasureAnswer({ app, path, body }: Received): Answer {
  if (path === '/api/erasures/orders') return ok({ orderNumbers: ['100059', '100060'] });
  const { tenant, orderNumber } = body as { tenant: string; orderNumber: number };
  const stays = app === 'order-command-handler' ? [{ what: 'invoices', count: 1, why: 'fiscal' }] : [];
  const topics = [{ topic: 'dead-letters.v1', until: '2026-12-27T13:15:02.114Z' }];
  return ok({ id: '1', tenant, orderNumber: String(orderNumber), at: AT, erased: { deadLetters: 1 }, stays, topics });
}

/**
 * Each record with a name that is too long is invalid, and each product is missing in the shop because it has no
 * price.
 */
function catalogAnswer({ method, path, body }: Received): Answer | null {
  if (path === '/api/preflight' && method === 'POST') {
    const { records } = body as { readonly records: readonly string[] };
    return ok({ records: records.map(judged) });
  }
  if (path === '/api/comparisons' && method === 'POST') return ok(comparedBy(body as Compared));
  const ofLoads = loadAnswer({ method, path, body });
  if (ofLoads !== null) return ofLoads;
  if (!path.endsWith('/explanation')) return null;
  const step = { step: 'price', state: 'missing', who: 'erp', text: 'No price was sent.' };
  return ok({ tenant: 'acme', externalReference: '4711', inShop: false, summary: 'No price was sent.', steps: [step] });
}

/** A load with 200 records received before, and another page received from another process. */
function loadAnswer({ method, path, body }: Pick<Received, 'method' | 'path' | 'body'>): Answer | null {
  if (path === '/api/resends') return { status: 202, body: { ...LOAD, loadId: 'resend-1', source: 'resend' } };
  if (path === '/api/loads') return ok(method === 'GET' ? { entries: [LOAD], next: null } : { ...LOAD, taken: 200 });
  if (!path.startsWith('/api/loads/')) return null;
  if (method === 'GET') return ok({ ...LOAD, open: 0, notApplied: [NOT_APPLIED] });
  const { from, records } = body as { readonly from: number; readonly records: readonly string[] };
  const bad = records.flatMap((text, index) => (text === 'bad' ? [{ index: from + index, code: 'NOT_JSON' }] : []));
  return ok({ taken: from + records.length, unreadable: bad });
}

const NOT_APPLIED = { kind: 'product', identity: '4711', commandId: 'r-1', outcome: 'refused' };
const LOAD = {
  id: '7',
  tenant: 'acme',
  loadId: 'first',
  source: 'file',
  recordKind: 'product',
  expected: 450,
  taken: 450,
  counts: { queued: 0, applied: 448, refused: 1, unreadable: 1 },
  total: 450,
  open: 3,
  startedAt: AT,
  finishedAt: null,
  perMinute: 60,
  estimatedEndAt: AT,
};

interface Compared {
  readonly records?: readonly string[];
  readonly after?: string;
  readonly adopt: boolean;
}

/** Compares four products at a time; six are known. A product named "other" differs. */
function comparedBy({ records, after, adopt }: Compared): object {
  const known = ['1', '2', '3', '4', 'other', '6'];
  const asked = records?.map((text) => (JSON.parse(text) as { externalReference: string }).externalReference);
  const open = asked ?? known.slice(after === undefined ? 0 : known.indexOf(after) + 1);
  const page = open.slice(0, 4);
  const remaining = asked === undefined ? open.length - page.length : 0;
  const products = page.map((externalReference) => ({
    externalReference,
    state: externalReference === 'other' ? 'differs' : 'same',
    differences: externalReference === 'other' ? [{ field: 'name', expected: 'Queijo', found: 'Outro' }] : [],
    skusToPublish: externalReference === 'other' ? ['other-1'] : [],
    adopted: adopt && externalReference === 'other',
  }));
  return { products, next: remaining === 0 ? null : page.at(-1), remaining, stopped: null };
}

function judged(text: string): object {
  const isLong = text.includes('"long"');
  const errors = isLong
    ? [{ field: 'name', code: 'LIMIT', message: 'The field "name" must have at most 400 characters.' }]
    : [];
  return { outcome: isLong ? 'invalid' : 'valid', errors, warnings: [], waitsFor: [] };
}

const UPLOADED = new Map<string, object>();

/** Accepts any content and any command; the SKUs are `4711` and `4711-1`. */
function fileAnswer({ method, path, query, body }: Received): Answer | null {
  if (path === '/uploads' && method === 'POST') {
    const sha256 = createHash('sha256').update(String(body)).digest('hex');
    const upload = { uploadId: `u-${String(body)}`, sha256, size: String(body).length, mediaType: 'image/png' };
    UPLOADED.set(sha256, { ...upload, expiresAt: AT });
    return { status: 201, body: UPLOADED.get(sha256) };
  }
  if (path === '/uploads')
    return UPLOADED.has(query['sha256'] ?? '') ? ok(UPLOADED.get(query['sha256']!)!) : notFound();
  if (path === '/api/skus/known') return ok({ known: ['4711', '4711-1'] });
  if (path === '/api/commands') return { status: 202, body: { tenant: 'acme', ...(body as object) } };
  const [, commandId] = /^\/api\/commands\/(.+)$/.exec(path) ?? [];
  if (commandId === undefined) return null;
  const data = { urls: ['https://files.example.com/a.png'] };
  return ok({
    commandId,
    outcome: 'applied',
    result: { commandId, outcome: 'applied', evidence: 'read-back', reason: null, data },
  });
}

const PARKED = {
  id: '9',
  tenant: 'acme',
  topic: 'erp.orders.events.v1',
  reason: 'MESSAGE_TOO_LARGE',
  parkedAt: '2026-11-20T13:15:02.114Z',
  storedAt: '2026-11-20T13:15:01.114Z',
  bytes: 2_000_000,
  type: 'OrderChanged',
  subject: 'order/100234',
};

/** Parked records; a release of all takes two requests. */
function parkedAnswer({ path, query, body }: Received): Answer {
  const { reason = PARKED.reason } = query;
  if (path === '/api/parked') return ok({ entries: reason === PARKED.reason ? [PARKED] : [], next: null });
  if (path === '/api/parked/groups') {
    const { tenant, topic } = PARKED;
    const at = PARKED.parkedAt;
    const group = { tenant, topic, reason: PARKED.reason, count: 3, isMore: false, oldestAt: at, newestAt: at };
    return ok({ groups: [group, { ...group, reason: 'INVALID_RECORD' }] });
  }
  if (path === '/api/parked/release') {
    const isFirst = (body as { topic?: string }).topic === undefined && (partsReleased += 1) % 2 === 1;
    return ok({ released: isFirst ? 10_000 : 3, isMore: isFirst });
  }
  return path === '/api/parked/9/release' ? ok({ id: '9', topic: PARKED.topic }) : notFound();
}

let partsReleased = 0;

/** The contract's answer to a call. */
export function answerOf(call: Received): Answer {
  const { method, path } = call;
  if (path.startsWith('/api/parked')) return parkedAnswer(call);
  const [, , collection, id, deed] =
    /^(\/api\/)([\w-]+)(?:\/(.+?))?(?:\/(reprocess|discard|redrive))?$/.exec(path) ?? [];
  if (collection === 'erasures' && call.app !== 'webhook-ingest' && method === 'POST') return erasureAnswer(call);
  const ofOrders = call.app === 'order-command-handler' ? ordersAnswer(call) : null;
  if (ofOrders !== null) return ofOrders;
  const ofFiles = call.app === 'file-gateway' ? fileAnswer(call) : null;
  if (ofFiles !== null) return ofFiles;
  const ofCatalog = call.app === 'catalog-publisher' ? catalogAnswer(call) : null;
  if (ofCatalog !== null) return ofCatalog;
  if (call.app === 'console') return sessionsAnswer(call);
  if (collection === 'pauses') return pausesAnswer(call);
  if (collection === 'today') return todayAnswer(call);
  if (collection === 'shadow') return shadowAnswer(call);
  if (call.app !== 'webhook-ingest') return collection === 'dead-letters' ? letterAnswer(call, id, deed) : notFound();
  if (collection === 'mirror') return mirrorAnswer(path);
  if (collection === 'webhook-registration') return ok(registrationAnswer(call));
  if (collection === 'erasures' && method === 'POST')
    return ok({ ...(call.body as object), notifications: 450, quarantined: 1, waiting: 0 });
  if (path === '/api/quarantine/reprocess') return ok(reprocessedPage(call));
  const entries: readonly Stored[] = collection === 'notifications' ? NOTIFICATIONS : QUARANTINE;
  if (id === undefined) return ok(pageOf(entries, call));
  const entry = entries.find((each) => each.id === id);
  if (entry === undefined) return notFound();
  if (deed === 'reprocess') return ok(OUTCOMES[id] ?? {});
  if (deed === 'discard') return ok({ ...entry, state: 'discarded', ...(call.body as object) });
  const bodyBase64 = Buffer.from(BODY).toString('base64');
  return ok(call.query['body'] === 'true' ? { ...entry, bodyBase64 } : entry);
}

/** Two pages of one entry each: 17 becomes a notification, 16 stays. */
function reprocessedPage({ body }: Received) {
  const isFirst = (body as { after?: string }).after === undefined;
  const failed = isFirst ? [{ id: '16', reason: 'NOT_JSON', detail: 'Unexpected end' }] : [];
  return { stored: isFirst ? 0 : 1, repeated: 0, failed, next: isFirst ? '16' : null };
}

function registrationAnswer({ method, body }: Received) {
  const { confirm, ...wish } = (body ?? {}) as { confirm?: boolean };
  const events = ['Order_Updated'];
  if (method === 'GET')
    return { registrations: [{ tenant: 'acme', url: null, events: null, outcome: 'none', attempts: [] }] };
  return { ...wish, events, outcome: confirm ? 'registered' : 'dry-run', problems: [], warnings: [], attempts: [] };
}

function letterAnswer(call: Received, id: string | undefined, deed: string | undefined): Answer {
  const own = LETTERS.filter(({ app }) => app === call.app).map(({ letter }) => letter);
  if (id === undefined) return ok({ deadLetters: own.toReversed(), next: null });
  const letter = own.find((each) => each.id === id);
  if (letter === undefined) return notFound();
  if (deed === 'redrive') return { status: 202, body: { id, redriven: 1 } };
  const lengths = { ...letter, keyBytes: null, valueBytes: BODY.length };
  const header = { name: 'ce_tenant', bytes: null };
  if (call.query['body'] !== 'true') return ok({ ...lengths, headers: [header] });
  const value = { base64: Buffer.from(BODY).toString('base64'), text: BODY };
  return ok({ ...lengths, key: null, value, headers: [{ ...header, value: null }] });
}

function pageOf(all: readonly Stored[], { query }: Received) {
  const limit = Math.min(Number(query['limit'] ?? 50), LONGEST_PAGE);
  const older = all.filter(({ id }) => query['before'] === undefined || Number(id) < Number(query['before']));
  const entries = older.slice(0, limit);
  return { entries, next: older.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

function ok(body: object): Answer {
  return { status: 200, body };
}

function notFound(): Answer {
  return { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Not found' } } };
}

/** Maria is signed in to the console. */
function sessionsAnswer({ method, path }: Received): Answer {
  const times = { createdAt: '2026-11-20T13:15:02.114Z', seenAt: '2026-11-20T13:20:02.114Z' };
  const session = { id: '17', operator: 'maria', method: 'password', subject: null, ...times, address: '203.0.113.7' };
  if (method === 'GET') return path === '/api/sessions' ? ok({ entries: [session] }) : notFound();
  return path === '/api/sessions/17/end' ? ok({ ended: 1 }) : notFound();
}

/** The mirror of a tenant, which fails; paused by the route that pauses it. */
function mirrorAnswer(path: string): Answer {
  const pausedAt = path.endsWith('/pause') ? '2026-11-20T13:15:02.114Z' : null;
  const state = { waiting: 12, oldestAt: '2026-11-20T13:10:00.000Z', pausedAt, pausedBy: null };
  const failure = { failingSince: '2026-11-20T13:11:00.000Z', failure: 'TIMEOUT' };
  const mirror = { tenant: 'acme', receiver: 'https://old.example.com', ...state, ...failure };
  return ok(path === '/api/mirror' ? { entries: [mirror] } : mirror);
}

/** All calls of a tenant are paused in order-command-handler. */
function pausesAnswer({ app, method, body }: Received): Answer {
  const times = { since: '2026-11-20T13:15:02.114Z', until: '2026-11-21T13:15:02.114Z' };
  const pause = { tenant: 'acme', route: null, cause: 'throttled', ...times, replica: 'orders-1.42.ab12' };
  if (app !== 'order-command-handler') return method === 'GET' ? ok({ entries: [] }) : notFound();
  return ok(method === 'GET' ? { entries: [pause] } : { ended: [{ ...pause, ...(body as object) }] });
}

/** An order of order-command-handler never reached the ERP. */
function shadowModeAnswer(path: string, body: unknown): Answer {
  const { from } = (body ?? {}) as { from?: string };
  if (from?.startsWith('2020') === true) {
    return { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'Tenant acme: from must be later' } } };
  }
  const heldSince = path.endsWith('/hold') ? '2026-12-01T05:50:00.000Z' : null;
  const mode = path.endsWith('/begin') ? 'shadow' : 'live';
  const points = from === undefined ? [] : [{ mode, from }];
  const entry = { tenant: 'acme', mode: 'shadow', heldSince, points };
  return ok(path.endsWith('/modes') ? { entries: [entry] } : entry);
}

function shadowAnswer({ app, path, method, body }: Received): Answer {
  const isOrders = app === 'order-command-handler';
  if (method === 'POST' || path.endsWith('/modes')) return shadowModeAnswer(path, body);
  if (!path.endsWith('/differences')) {
    return ok({ tenants: ['acme'], counts: isOrders ? [{ tenant: 'acme', kind: 'same', count: 12 }] : [] });
  }
  const difference = {
    id: '7',
    tenant: 'acme',
    kind: 'another-value',
    route: 'putInvoiced',
    entity: '100234',
    commandId: 'c-88',
    gondola: '{"value":1245}',
    shop: '[{"value":"13.00"}]',
    why: null,
    lateMs: null,
    at: '2026-11-20T13:15:02.114Z',
  };
  return ok({ entries: isOrders ? [difference] : [], next: null });
}

/** An order of order-command-handler is stuck. */
function todayAnswer({ app }: Received): Answer {
  const nextTryAt = '2026-11-20T13:20:02.114Z';
  const lane = {
    tenant: 'acme',
    kind: 'order',
    identity: '100234',
    failures: 12,
    nextTryAt,
    commandIds: ['c-88', 'c-89'],
  };
  return ok({ queues: [], stuck: app === 'order-command-handler' ? [lane] : [], pauses: [] });
}
