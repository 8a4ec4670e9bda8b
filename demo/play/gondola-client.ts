// Routes of Gondola that the demo calls: as an operator, the registration of the webhook and orders; as an ERP,
// uploads.
import type { OrderTotals } from '../erp/erp.ts';
import { type OperationsApi, read } from './operations-api.ts';

interface State {
  outcome: string;
}

const STANDS = 'webhook stands since an earlier start';
const ROUTE = '/api/webhook-registration';

/**
 * Registers the shop's webhook through webhook-ingest, which stores the registration, because the platform never
 * shows it (rule 37). It can never be changed: one that is registered already stays. Returns a sentence with the
 * number of its events.
 */
export async function registerWebhook(ingest: OperationsApi, tenant: string, url: string): Promise<string> {
  const { registrations } = await ingest.call<{ registrations: State[] }>('GET', `${ROUTE}?tenant=${tenant}`);
  if (registrations[0]?.outcome === 'registered') return STANDS;
  const answer = await ingest.ask('POST', ROUTE, { tenant, url, confirm: true });
  if (answer.status >= 400 && answer.text.includes('"WEBHOOK_EXISTS')) return STANDS;
  const { events } = read(`POST ${ROUTE}`, answer) as { events: string[] };
  return `webhook registered for ${events.length} events`;
}

/** Uploads the content of files to the file gateway; commands refer to it (contract: HTTP). */
export class Uploads {
  private readonly url: string;
  private readonly token: string;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /**
   * Uploads a file and returns its id. A failed connection rejects, and the caller uploads again; an upload that
   * was stored twice expires.
   */
  async send(content: Buffer, mediaType: string): Promise<string> {
    const answer = await fetch(`${this.url}/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': mediaType },
      body: new Uint8Array(content),
    });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`POST /uploads answered ${answer.status}: ${text.slice(0, 300)}`);
    return (JSON.parse(text) as { uploadId: string }).uploadId;
  }
}

/** Fields of an order in the operations API that the demo reads. */
export interface OperatorsOrder {
  status: { code: number } | null;
  published: { revision: number };
  values: {
    totals: OrderTotals;
    items: { skuExternalReference: string | null; orderedQuantity: number | null; net: string | null }[];
  } | null;
  openCommands: { command: string }[];
  timeline: { kind: string; status?: { code: number } | null }[];
}

/** A price or stock that catalog-publisher sent to the shop. */
interface PublishedValue {
  kind: 'price' | 'stock' | 'warehouse';
  skuExternalReference: string;
  warehouse: string | null;
  applied: { price?: string; promotionalPrice?: string; quantity?: number } | null;
}

/** Operations API of catalog-publisher. */
export class CatalogOperations {
  private readonly api: OperationsApi;
  private readonly tenant: string;

  constructor(api: OperationsApi, tenant: string) {
    this.api = api;
    this.tenant = tenant;
  }

  /** Prices and stock of the SKUs of a product that were published last. */
  async valuesOf(product: string): Promise<PublishedValue[]> {
    const path = `/api/products/${encodeURIComponent(product)}?tenant=${this.tenant}`;
    return (await this.api.call<{ values: PublishedValue[] }>('GET', path)).values;
  }
}

interface OrderCounts {
  skus: number;
  orders: number;
  byStatus: { status: number | null; orders: number }[];
}

interface RecoveryRun {
  id: string;
  found: number;
  finishedAt: string | null;
}

/** Operations API of order-command-handler. */
export class OrderOperations {
  private readonly api: OperationsApi;

  constructor(api: OperationsApi) {
    this.api = api;
  }

  /** Null if neither a notification nor a command ever named the order. */
  show(order: number): Promise<OperatorsOrder | null> {
    return this.api.find<OperatorsOrder>(`/api/orders/${order}`);
  }

  /** How much order-command-handler knows. */
  counts(): Promise<OrderCounts> {
    return this.api.call<OrderCounts>('GET', '/api/counts');
  }

  /** Starts the recovery of orders in a range of numbers that no notification named. */
  recover(from: number, to: number): Promise<RecoveryRun> {
    return this.api.call<RecoveryRun>('POST', '/api/recoveries', { from, to });
  }

  recovery(id: string): Promise<RecoveryRun | null> {
    return this.api.find<RecoveryRun>(`/api/recoveries/${id}`);
  }
}
