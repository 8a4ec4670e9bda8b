import type { components as Catalog } from '../../web/src/api/catalog-publisher.d.ts';
import type { components as Orders } from '../../web/src/api/order-command-handler.d.ts';
import type { components as Webhooks } from '../../web/src/api/webhook-ingest.d.ts';
import { answerTo, orderEntry } from './shop-answers.ts';

/** Answers of apps in which something waits for somebody in each way; the texts that others write are given. */

const OLD = '2026-11-25T11:00:00.000Z';
const NEW = '2026-11-26T10:30:00.000Z';
const COMMANDS = 'erp.orders.commands.v1';
const RESULTS = 'erp.files.results.v1';
/** Slashes and a colon, as a real one has. */
export const LETTER_ID = `test.order-command-handler/${COMMANDS}/3/120`;

interface Called {
  readonly app: string;
  readonly url: string;
  readonly method?: string;
}

export type Job = Orders['schemas']['ShownBulkJob'];

export function attentionAnswer(call: Called, text: string, jobs: readonly Job[] = []): unknown {
  const { pathname: path, searchParams } = new URL(call.url, 'http://app');
  const isOfShop = searchParams.get('tenant') === 'acme';
  const ofOrders = call.app === 'order-command-handler';
  if (path === '/api/orders') return { entries: [orderEntry(), unpaidOrder()], next: null };
  if (path === '/api/jobs/preview') return { count: 12, isMore: false };
  if (path === '/api/jobs') return { entries: ofOrders && isOfShop ? jobs : [], next: null };
  if (path.endsWith('/redrive')) return { id: LETTER_ID, redriven: 1 };
  if (path === '/api/dead-letters/groups') return { groups: ofOrders && isOfShop ? letterGroups() : [] };
  if (path === '/api/dead-letters') return { deadLetters: [letter(text)], next: null };
  if (path.startsWith('/api/dead-letters/')) return wholeLetter(text, searchParams.get('body') === 'true');
  if (path === '/api/quarantine/groups') return { groups: [noticeGroup()] };
  if (path === '/api/quarantine') return { entries: [notice()], next: null };
  if (path === '/api/parked/groups') return { groups: isOfShop ? [parkedGroup()] : [] };
  if (path === '/api/parked') return { entries: [parkedRecord(text)], next: null };
  if (path === '/api/parked/51') return parkedRecord(text);
  if (path === '/api/parked/release') return { released: 1, isMore: false };
  if (path === '/api/parked/51/release') return { id: '51', topic: RESULTS };
  if (path === '/api/today') return today(call.app === 'file-gateway' ? 1 : 0);
  if (path === '/api/counts' && call.app === 'catalog-publisher') return [waitingProducts()];
  if (path === '/api/rejections/groups') return { groups: [rejections(text)] };
  if (path === '/api/rejections') return { entries: [rejection(text)], next: null };
  if (path === '/api/loads') return { entries: [load()], next: null };
  return answerTo(call, text);
}

function unpaidOrder(): Orders['schemas']['OrderEntry'] {
  const attention = [{ code: 'PAID_NOTICE_MISSING', since: OLD, waitsFor: 'operator' } as const];
  return { ...orderEntry(), id: '2', orderNumber: '100002', attention };
}

function letterGroups(): Orders['schemas']['DeadLetterGroup'][] {
  const group = { isMore: false, oldestAt: OLD, newestAt: NEW, tenant: 'acme' };
  return [
    { ...group, reason: 'NOT_JSON', topic: COMMANDS, count: 12 },
    { ...group, reason: 'PROCESSING_FAILED', topic: 'platform.notifications.orders.v1', count: 1_234 },
  ];
}

function letter(reason: string): Orders['schemas']['DeadLetterSummary'] {
  return {
    id: LETTER_ID,
    group: 'test.order-command-handler',
    topic: COMMANDS,
    partition: 3,
    offset: '120',
    tenant: 'acme',
    code: 'NOT_JSON',
    reason,
    deadAt: OLD,
    state: 'open',
    failures: 2,
    lastFailedAt: NEW,
    redriven: 1,
    redrivenAt: OLD,
    note: null,
    actedBy: 'maria',
    contentErasedAt: null,
  };
}

function wholeLetter(text: string, isRevealed: boolean): Orders['schemas']['DeadLetter'] {
  const bytes = { base64: Buffer.from(text).toString('base64'), text };
  const length = Buffer.byteLength(text);
  const content = isRevealed ? { key: bytes, value: bytes } : {};
  const headers = [{ name: 'ce_tenant', bytes: length, ...(isRevealed && { value: bytes }) }];
  return { ...letter(text), keyBytes: length, valueBytes: length, headers, ...content };
}

function noticeGroup(): Webhooks['schemas']['QuarantineGroup'] {
  const group = { count: 3, isMore: false, oldestAt: OLD, newestAt: NEW, tenant: 'acme' };
  return { ...group, reason: 'FIELD_REQUIRED', detail: 'relatedEntity' };
}

function notice(): Webhooks['schemas']['QuarantineEntry'] {
  return {
    id: '41',
    tenant: 'acme',
    reason: 'FIELD_REQUIRED',
    detail: 'relatedEntity',
    receivedAt: NEW,
    bodyErasedAt: null,
    state: 'open',
    settledAt: null,
    note: null,
    actedBy: null,
    bytes: 512,
  };
}

function today(parked: number): Orders['schemas']['Today'] {
  return { queues: [], stuck: [], outbox: { waiting: 0, oldestAt: null, parked, refused: [] }, pauses: [] };
}

function parkedGroup(): Orders['schemas']['ParkedGroup'] {
  const group = { count: 1, isMore: false, oldestAt: NEW, newestAt: NEW, tenant: 'acme' };
  return { ...group, reason: 'MESSAGE_TOO_LARGE', topic: RESULTS };
}

function parkedRecord(subject: string): Orders['schemas']['ParkedRecord'] {
  const record = { id: '51', tenant: 'acme', topic: RESULTS, reason: 'MESSAGE_TOO_LARGE', storedAt: OLD };
  return { ...record, parkedAt: NEW, bytes: 1_310_720, type: 'gondola.result.v1', subject };
}

function waitingProducts(): Catalog['schemas']['CatalogCounts'] {
  return { tenant: 'acme', kind: 'product', open: 12, sent: 5, waiting: 7 };
}

export function rejection(message: string): Catalog['schemas']['ShownRejection'] {
  return {
    id: '9',
    tenant: 'acme',
    kind: 'product',
    externalReference: '98007',
    commandId: 'c-98007',
    outcome: 'invalid',
    reason: 'UNIT_UNKNOWN',
    field: 'unitOfMeasurement',
    message,
    rejectedAt: NEW,
  };
}

function rejections(message: string): Catalog['schemas']['RejectionGroup'] {
  const { reason, field } = rejection(message);
  return { count: 2, isMore: false, oldestAt: OLD, newestAt: NEW, reason, field, example: rejection(message) };
}

function load(): Catalog['schemas']['LoadAnswer'] {
  return {
    id: '3',
    tenant: 'acme',
    loadId: 'prices-2026-11-26',
    source: 'topic',
    recordKind: 'price',
    expected: 30_000,
    taken: 30_000,
    counts: { applied: 11_998, invalid: 2, queued: 18_000 },
    total: 30_000,
    open: 18_000,
    startedAt: OLD,
    finishedAt: null,
    perMinute: 6_000,
    estimatedEndAt: NEW,
  };
}

export function job(progress: Partial<Job> = {}): Job {
  return {
    id: '7',
    action: 'redrive',
    filter: { tenant: 'acme', reason: 'NOT_JSON', topic: COMMANDS },
    note: '',
    perSecond: 50,
    requestedBy: 'maria',
    expected: { count: 12, isMore: false },
    done: 5,
    failed: 1,
    state: 'running',
    startedAt: NEW,
    finishedAt: null,
    ...progress,
  };
}
