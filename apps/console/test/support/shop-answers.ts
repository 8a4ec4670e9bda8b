import type { components as Catalog } from '../../web/src/api/catalog-publisher.d.ts';
import type { components as Orders } from '../../web/src/api/order-command-handler.d.ts';

/** Answers of apps with one order and one product, whose texts are given. */

const AT = '2026-11-26T11:00:00.000Z';

interface Texts {
  readonly name: string;
}

/** The answer of an app to a call. */
export function answerTo({ app: called, url }: { app: string; url: string }, name: string): unknown {
  const path = new URL(url, 'http://app').pathname;
  if (path === '/health/ready') return { status: 'ready', checks: {} };
  if (path === '/api/info') return { name: 'app', version: '1.0.0' };
  if (path === '/api/orders') return { entries: [orderEntry()], next: null };
  if (path === '/api/orders/100001') return order({ name });
  if (path === '/api/products/4711') return product({ name });
  if (path.endsWith('/explanation')) return explanation({ name });
  if (path === '/api/counts' && called === 'catalog-publisher') return [];
  if (path === '/api/counts') return { byStatus: [{ status: 400, orders: 3 }], openCommands: [], uploads: [] };
  if (path === '/api/dead-letters') return { deadLetters: [], next: null };
  if (path.endsWith('/groups')) return { groups: [] };
  if (path === '/api/webhook-registration') return { registrations: [] };
  if (path.endsWith('/invoice')) return { openCommands: [] };
  if (path === '/api/today') return today();
  if (path === '/api/deliveries/hours') return { hours: [] };
  if (path === '/api/products/4711/records') return { entries: [productRecord({ name })], next: null };
  if (path === '/api/products') return { entries: [listedProduct({ name })], next: null };
  if (path === '/api/skus/4711-1/images') return { openCommands: [] };
  if (path === '/api/audits') return { entries: [audit()] };
  if (path === '/api/audits/7') return audit();
  if (path === '/api/audits/7/differences') return { entries: [auditedOrder()], next: null };
  return { entries: [], next: null };
}

function audit(): Orders['schemas']['Audit'] {
  const invoices = { invoicedOrders: 0, invoicedCents: 0, chargedCents: 0 };
  return {
    id: '7',
    tenant: 'acme',
    month: '2026-10',
    state: 'finished',
    numbers: 20_000,
    open: 0,
    orders: 19_000,
    differing: 1,
    erased: 3,
    unreadNumbers: 0,
    reads: 20_001,
    kinds: [{ kind: 'total', differences: 1 }],
    sums: { shopOrders: 2, shopCents: 2_491, publishedOrders: 2, publishedCents: 2_490, ...invoices },
    startedAt: AT,
    finishedAt: AT,
    estimatedEndAt: null,
  };
}

function auditedOrder(): Orders['schemas']['AuditedOrder'] {
  const total = { kind: 'total', about: null, shop: '12.46', published: '12.45', erp: null } as const;
  return { id: '100001', orderNumber: '100001', differences: [total], apartCents: 1, invoiceApartCents: 0 };
}

export function orderEntry(): Orders['schemas']['OrderEntry'] {
  return {
    id: '1',
    tenant: 'acme',
    orderNumber: '100001',
    orderId: null,
    status: { code: 400, name: 'ORDER_BEING_PREPARED' },
    statusSince: AT,
    revision: 1,
    attention: [{ code: 'NOT_INVOICED', since: AT, waitsFor: 'erp' }],
  };
}

export function order({ name }: Texts) {
  const { attention, status, tenant, orderNumber, orderId } = orderEntry();
  const item = {
    line: 1,
    skuExternalReference: '4711-1',
    name,
    ean: null,
    unitOfMeasure: 'Kg',
    orderedQuantity: 3,
    approximateWeight: { value: '0.3', unit: 'Kg' },
    salePrice: '39.90',
    gross: '12.45',
    discount: '0.00',
    net: '12.45',
  };
  const nobody = { firstName: name, lastName: null, email: null, document: null, phone: null };
  return {
    tenant,
    orderNumber,
    orderId,
    status,
    attention,
    paid: true,
    published: { revision: 1, status: { code: 300, name: 'PAYMENT_APPROVED' } },
    told: { revision: 1, status: { code: 300, name: 'PAYMENT_APPROVED' } },
    openSteps: { pickingSince: null, registeredAt: null, attachedAt: null },
    values: {
      createdAt: AT,
      updatedAt: AT,
      fulfilment: { type: { code: 3, name: 'pickup' }, windowStart: null, windowEnd: null, pickupPoint: name },
      totals: { subtotal: '12.45', discount: '0.00', freight: null, total: '12.45' },
      items: [item],
    },
    people: { customer: nobody, address: { street: name }, payments: [] },
    facts: [],
    openCommands: [
      {
        commandId: 'c-1',
        command: 'RegisterInvoice',
        receivedAt: AT,
        attempts: 0,
        firstSentAt: null,
        deadlineAt: null,
        operationIds: [],
        waits: { for: 'platform-available', cause: name },
      },
    ],
    timeline: [
      { at: AT, kind: 'fact', source: 'notification', eventType: name, operationId: null, status: null, error: null },
      { at: AT, kind: 'command', commandId: 'c-1', command: 'RegisterInvoice' },
    ],
  };
}

/** Nothing waits, and the platform answers. */
export function today(): Orders['schemas']['Today'] {
  return { queues: [], stuck: [], outbox: { waiting: 0, oldestAt: null, parked: 0, refused: [] }, pauses: [] };
}

/** A price that the platform refused. */
function productRecord({ name }: Texts): Catalog['schemas']['ShownRecord'] {
  const about = { kind: 'price', externalReference: '4711-1', commandId: name, command: 'upsert' } as const;
  return { id: '7', ...about, receivedAt: AT, outcome: 'refused', finishedAt: AT, loadId: null };
}

export function product({ name }: Texts): object {
  return {
    tenant: 'acme',
    externalReference: '4711',
    exists: true,
    skus: ['4711-1'],
    applied: { product: { name }, skus: { '4711-1': { name } } },
    sourceVersion: null,
    lastEnd: {
      commandId: 'c-1',
      command: 'upsert',
      outcome: 'refused',
      reason: null,
      errors: [{ code: 'SLUG_TAKEN', field: name, message: name, hint: name }],
      finishedAt: AT,
    },
    values: [
      {
        kind: 'price',
        skuExternalReference: '4711-1',
        warehouse: null,
        policy: null,
        applied: { externalReference: '4711-1', salePrice: '39.90', note: name },
        appliedAt: AT,
      },
    ],
    open: [],
  };
}

export function explanation({ name }: Texts): Catalog['schemas']['ShownExplanation'] {
  return {
    tenant: 'acme',
    externalReference: '4711',
    inShop: false,
    summary: name,
    steps: [
      { step: 'received', state: 'done', who: null, text: name },
      { step: 'outcome', state: 'missing', who: 'erp', text: name },
    ],
  };
}

export function listedProduct({ name }: Texts): Catalog['schemas']['ListedProduct'] {
  return {
    externalReference: '4711',
    name,
    exists: false,
    isOpen: false,
    rejection: {
      id: '1',
      tenant: 'acme',
      kind: 'product',
      externalReference: '4711',
      commandId: 'c-1',
      outcome: 'refused',
      reason: 'SLUG_TAKEN',
      field: 'slug',
      message: name,
      rejectedAt: AT,
    },
    updatedAt: AT,
  };
}
