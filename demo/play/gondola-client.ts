// Routes of Gondola that the demo calls: as an operator, the registration of the webhook and orders; as an ERP,
// uploads.
import type { OrderTotals } from '../erp/erp.ts';

interface State {
  outcome: string;
}

const STANDS = 'webhook stands since an earlier start';

/**
 * Registers the shop's webhook through webhook-ingest, which stores the registration, because the platform never
 * shows it (rule 37).
 */
export class WebhookRegistration {
  private readonly url: string;
  private readonly operationsToken: string;

  constructor(url: string, operationsToken: string) {
    this.url = `${url}/api/webhook-registration`;
    this.operationsToken = operationsToken;
  }

  /**
   * Registers the webhook unless it is registered already; returns a sentence with the number of its events. It can
   * never be changed.
   */
  async register(tenant: string, webhookUrl: string): Promise<string> {
    const { registrations } = await this.call<{ registrations: State[] }>(`?tenant=${tenant}`);
    if (registrations[0]?.outcome === 'registered') return STANDS;
    const body = JSON.stringify({ tenant, url: webhookUrl, confirm: true });
    const answer = await this.call<{ events: string[] }>('', { method: 'POST', body }, 'WEBHOOK_EXISTS');
    return answer === null ? STANDS : `webhook registered for ${answer.events.length} events`;
  }

  /** Null: refused with a code that begins with `expected`. */
  private async call<T>(query: string): Promise<T>;
  private async call<T>(query: string, init: RequestInit, expected: string): Promise<T | null>;
  private async call<T>(query: string, init: RequestInit = {}, expected?: string): Promise<T | null> {
    const answer = await fetch(this.url + query, {
      ...init,
      headers: { authorization: `Bearer ${this.operationsToken}`, 'content-type': 'application/json' },
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as T;
    if (expected !== undefined && text.includes(`"${expected}`)) return null;
    throw new Error(`${init.method ?? 'GET'} ${this.url} answered ${answer.status}: ${text.slice(0, 300)}`);
  }
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
  told: { revision: number };
  values: {
    totals: OrderTotals;
    items: { skuExternalReference: string | null; orderedQuantity: number | null; net: string | null }[];
  } | null;
  openCommands: { command: string }[];
  timeline: { kind: string; status?: { code: number } | null }[];
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
  private readonly url: string;
  private readonly operationsToken: string;

  constructor(url: string, operationsToken: string) {
    this.url = url;
    this.operationsToken = operationsToken;
  }

  /** Null if neither a notification nor a command ever named the order. */
  async show(order: number): Promise<OperatorsOrder | null> {
    return this.call<OperatorsOrder>(`/api/orders/${order}`);
  }

  /** How much order-command-handler knows. */
  async counts(): Promise<OrderCounts> {
    const counts = await this.call<OrderCounts>('/api/counts');
    if (counts === null) throw new Error('/api/counts is unknown');
    return counts;
  }

  /** Starts the recovery of orders in a range of numbers that no notification named. */
  async recover(from: number, to: number): Promise<RecoveryRun> {
    const body = JSON.stringify({ from, to });
    const run = await this.call<RecoveryRun>('/api/recoveries', { method: 'POST', body });
    if (run === null) throw new Error('The recovery was not begun');
    return run;
  }

  async recovery(id: string): Promise<RecoveryRun | null> {
    return this.call<RecoveryRun>(`/api/recoveries/${id}`);
  }

  private async call<T>(path: string, init: RequestInit = {}): Promise<T | null> {
    const answer = await fetch(this.url + path, {
      ...init,
      headers: { authorization: `Bearer ${this.operationsToken}`, 'content-type': 'application/json' },
    });
    const text = await answer.text();
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }
}
