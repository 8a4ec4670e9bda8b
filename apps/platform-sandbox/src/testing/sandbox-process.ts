import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Delivery {
  readonly eventType: string;
  readonly orderNumber: number | null;
  /** Status of the order; null unless the event is an order's. */
  readonly status: number | null;
  /** Reference of the product, brand or other entity. */
  readonly reference: string | null;
  readonly state: 'pending' | 'delivered' | 'dead' | 'lost';
  readonly dueAt: string;
  readonly attempts: readonly { readonly answer: number | string | null }[];
  readonly body: { readonly operationId: string; readonly data: Readonly<Record<string, unknown>> };
}

interface WantedDelivery {
  readonly event: string;
  readonly order?: { readonly number: number };
  readonly status?: number;
  readonly product?: string;
  readonly timeoutMs?: number;
}

const MAIN = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));
const READY = 'The sandbox is ready';
const CREDENTIALS = {
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  username: 'erp',
  password: 'erp',
  apiKey: 'key',
};
const EVENT_TYPES = ['Order_Updated', 'Order_StatusUpdateFailed', 'Order_CancelFailed', 'Operation_Failed'].concat(
  ['Created', 'Updated', 'CreationFailed', 'UpdateFailed', 'PartiallyFailed'].map((end) => `ProductWithSKUs_${end}`),
  ['Brand', 'Category', 'SKUPricing', 'Warehouse', 'WarehouseSKU'].map((entity) => `${entity}_CreationFailed`),
);
/** Ends what hangs; no measure of speed. */
const WAIT_MS = 30_000;
const POLL_MS = 20;
const SHOWN = 5;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill()));

/** A process on a free port, with its state in memory, one merchant and a registered webhook. Errors are sentences. */
export class Sandbox {
  readonly credentials = CREDENTIALS;
  /** `Authorization` of each delivery. */
  readonly webhookToken = 'token';
  /** Headers of the merchant, for calls of the platform's routes. */
  readonly headers: Readonly<Record<string, string>> = {
    authorization: `Basic ${Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64')}`,
    'x-contractAccountId': CREDENTIALS.contractAccountId,
    'X-API-KEY': CREDENTIALS.apiKey,
  };
  /** Deliveries to the helper's own receiver. */
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  /** Base URL, without a trailing slash. */
  url = '';
  private receiver: Server | undefined;

  private constructor(private readonly child: ChildProcess) {}

  /** `receiver` is the URL of yours; by default a server of the helper answers 200 and records. */
  static async start({ receiver }: { readonly receiver?: string } = {}): Promise<Sandbox> {
    const { PATH, NODE_OPTIONS, SystemRoot } = process.env;
    const env = { PATH, NODE_OPTIONS, SystemRoot, LOG_LEVEL: 'info' };
    const child = spawn(process.execPath, [MAIN, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    const shop = new Sandbox(child);
    try {
      shop.url = await readyUrl(child);
      const url = receiver ?? (await shop.listen());
      await shop.call('POST', '/admin/tenants', CREDENTIALS);
      const webhook = { originType: 'Api_call', originData: 'tests', url, authToken: shop.webhookToken };
      await shop.call('POST', '/v1/Webhooks', { ...webhook, eventTypes: EVENT_TYPES });
      return shop;
    } catch (error) {
      await shop.stop();
      throw error;
    }
  }

  /** Calls any route, as the merchant; returns the JSON of the answer, and throws unless it is a 2xx. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(this.url + path, { method, headers, ...content }).catch((cause: unknown) => {
      throw new Error(`${method} ${path} was not answered: is the sandbox stopped?`, { cause });
    });
    const said = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${said}`);
    return said === '' ? undefined : JSON.parse(said);
  }

  /** Fills the shop: what `POST /admin/seed` takes and answers. The same seed makes the same shop. */
  async seed(size: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
    return (await this.call('POST', '/admin/seed', size)) as Record<string, unknown>;
  }

  /** A shopper's purchase: what `POST /admin/orders` takes and answers, paid unless you say otherwise. */
  async buy(basket: Readonly<Record<string, unknown>>): Promise<{ readonly number: number; readonly id: string }> {
    return (await this.call('POST', '/admin/orders', { payment: 'approved', ...basket })) as never;
  }

  /** Waits until the receiver has answered a matching notification with 2xx; of several, the newest. */
  async waitForDelivery({ event, order, status, product, timeoutMs = WAIT_MS }: WantedDelivery): Promise<Delivery> {
    const about = order ? `&orderNumber=${order.number}` : product ? `&product=${encodeURIComponent(product)}` : '';
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const all = (await this.call('GET', `/admin/notifications?order=newest${about}`)) as readonly Delivery[];
      const isWanted = (each: Delivery) => each.eventType === event && (status ?? each.status) === each.status;
      const found = all.find((each) => isWanted(each) && each.state === 'delivered');
      if (found) return found;
      if (performance.now() >= deadline) {
        const wanted = named(event, status, order?.number ?? product);
        const instead = all.slice(0, SHOWN).map(described).join('; ') || 'nothing';
        throw new Error(`${wanted} was not delivered within ${timeoutMs} ms. Instead came: ${instead}`);
      }
      await pause(POLL_MS);
    }
  }

  /** Advances the clock by `90s`, `30m`, `1h` or `2d`: what is due by then comes now. */
  async advance(duration: string): Promise<void> {
    const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(duration) ?? [];
    if (count === undefined) throw new Error(`"${duration}" is no duration: write it as 90s, 30m, 1h or 2d`);
    await this.call('POST', '/admin/clock', { advanceMs: Number(count) * (UNIT_MS[unit] ?? 0) });
  }

  async stop(): Promise<void> {
    const { child, receiver } = this;
    if (child.kill()) await once(child, 'close');
    running.delete(child);
    receiver?.closeAllConnections();
    receiver?.close();
  }

  private async listen(): Promise<string> {
    this.receiver = createServer((request, response) => {
      const take = (body: string): void => void this.received.push({ headers: request.headers, body });
      void text(request)
        .then(take)
        .finally(() => response.end());
    });
    this.receiver.listen(0, '127.0.0.1');
    await once(this.receiver, 'listening');
    return `http://127.0.0.1:${(this.receiver.address() as AddressInfo).port}/`;
  }
}

function named(event: string, status: number | null = null, subject: number | string | null = null): string {
  return `${event}${status === null ? '' : ` ${status}`}${subject === null ? '' : ` of ${subject}`}`;
}

function described({ eventType, status, orderNumber, reference, state, dueAt, attempts }: Delivery): string {
  const due = state === 'pending' && `due at ${dueAt}`;
  const answers = attempts.map(({ answer }) => `answered ${answer ?? 'nothing'}`);
  return `${named(eventType, status, orderNumber ?? reference)} (${[state, due, ...answers].filter(Boolean).join(', ')})`;
}

/** Reads the log, now for the address, later lest it fills its pipe. */
async function readyUrl(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const lines: string[] = [];
  for (const input of [child.stdout!, child.stderr!]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      if (lines.length > SHOWN) lines.shift();
      if (line.includes(READY)) resolve((JSON.parse(line) as { url: string }).url);
    });
  }
  child.once('error', reject);
  child.once('close', (code) => reject(new Error(`The sandbox ended with code ${code}. It said: ${lines.join('\n')}`)));
  return promise;
}
