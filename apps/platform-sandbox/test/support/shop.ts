import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type AnswerCheck, answerCheck } from '@gondola/local-stack/testing/answer-check';
import { openApiDocument } from '../../src/openapi/document.ts';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { type Behaviour, DEFAULT_BEHAVIOUR } from '../../src/switches/behaviour.ts';
import type { Sandbox } from '../../src/sandbox.ts';
import { productItem, skuItem } from './catalog-items.ts';
import { Receiver } from './receiver.ts';
import { startApp } from './start-app.ts';

const ORDER_EVENTS = ['Order_Updated', 'Order_StatusUpdateFailed', 'Order_CancelFailed', 'Operation_Failed'];
const CATALOG_EVENTS = ['Created', 'Updated', 'CreationFailed', 'UpdateFailed', 'PartiallyFailed'].map(
  (ending) => `ProductWithSKUs_${ending}`,
);
const OTHER_EVENTS = ['Brand', 'Category', 'SKUPricing', 'Warehouse', 'WarehouseSKU'].flatMap((entity) =>
  ['Created', 'Updated', 'CreationFailed'].map((ending) => `${entity}_${ending}`),
);
const ALL_EVENTS = [...ORDER_EVENTS, ...CATALOG_EVENTS, ...OTHER_EVENTS];
/** Switches of what the document leaves open about answers. */
const SHAPING = ['answersNotShown', 'batchPaths', 'errorBody', 'invoiceAnswer', 'statusAnswer'] as const;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the body is no JSON. */
  readonly json: unknown;
}

export interface FormFile {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly name?: string;
}

/** One merchant's credentials; each test has its own, so that tests do not affect each other. */
export class Merchant {
  readonly contractAccountId = randomUUID();
  readonly username = 'erp-one';
  readonly password = `password-of-${this.contractAccountId}`;
  readonly apiKey = `key-of-${this.contractAccountId}`;

  get headers(): Record<string, string> {
    const basic = Buffer.from(`${this.username}:${this.password}`).toString('base64');
    return { authorization: `Basic ${basic}`, 'x-contractAccountId': this.contractAccountId };
  }
}

/** The sandbox in this process, on a free port, with its own data folder and receiver. */
export class Shop {
  readonly receiver: Receiver;
  readonly dataDir: string;
  private readonly env: Record<string, string>;
  private readonly log: { write(line: string): void } | undefined;
  private readonly page: string | undefined;
  private running: Sandbox | undefined;
  private document: ReturnType<typeof openApiDocument> | undefined;
  private check: AnswerCheck | undefined;
  /** Answers that the OpenAPI document does not allow. */
  private readonly undocumented = new Set<string>();

  private constructor(
    receiver: Receiver,
    dataDir: string,
    env: Record<string, string>,
    log: { write(line: string): void } | undefined,
    page: string | undefined,
  ) {
    this.page = page;
    this.log = log;
    this.receiver = receiver;
    this.dataDir = dataDir;
    this.env = env;
  }

  /**
   * Starts the sandbox. `log` receives the log lines instead of the standard output, `page` is the folder of the built
   * page. If the start fails, everything is removed again.
   */
  static async open(
    env: Record<string, string> = {},
    log?: { write(line: string): void },
    page?: string,
  ): Promise<Shop> {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
    const receiver = await Receiver.listen();
    const shop = new Shop(receiver, dataDir, env, log, page);
    try {
      await shop.start();
    } catch (error) {
      await shop.close();
      throw error;
    }
    return shop;
  }

  get url(): string {
    return this.sandbox.url;
  }

  /** The running sandbox itself, for what no route shows. */
  get sandbox(): Sandbox {
    if (this.running === undefined) throw new Error('the sandbox is stopped');
    return this.running;
  }

  async start(): Promise<void> {
    const env = {
      DATA_DIR: this.dataDir,
      HTTP_PORT: '0',
      // Longer than any delay of a slow receiver.
      WEBHOOK_TIMEOUT_MS: '60000',
      LOG_LEVEL: 'error',
      ...this.env,
    };
    this.running = await startApp(env, this.log, this.page);
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.receiver.close();
    await rm(this.dataDir, { recursive: true, force: true });
    if (this.undocumented.size > 0) throw new Error([...this.undocumented].join('\n'));
  }

  async call(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const isForm = body instanceof FormData;
    const payload = isForm || typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...(!isForm && payload !== null && { 'content-type': 'application/json' }), ...headers },
      body: payload,
    });
    const text = await response.text();
    await this.checkAnswer(method, path, { status: response.status, headers: response.headers, text });
    return { status: response.status, headers: response.headers, text, json: jsonOrUndefined(text) };
  }

  /** Stores what the document does not allow of an answer, unless the test itself has made it differ. */
  private async checkAnswer(method: string, path: string, { status, headers, text }: Omit<Answer, 'json'>) {
    const [plain = ''] = path.split('?');
    this.document ??= openApiDocument(this.sandbox.routes, [], '');
    const route = Object.keys(this.document.paths).find((each) => matches(each, plain));
    if (route === undefined || method === 'HEAD') return;
    this.check ??= answerCheck(this.document);
    const contentType = headers.get('content-type') ?? undefined;
    const problems = this.check({ method, route, status, contentType, body: text });
    if (problems.length === 0 || (await this.differsOnPurpose(method, plain, status))) return;
    for (const problem of problems) this.undocumented.add(problem);
  }

  /** True if a fault struck a recent call with this answer, or a switch lets the platform answer in another form. */
  private async differsOnPurpose(method: string, path: string, status: number): Promise<boolean> {
    if (!/^\/v\d\//.test(path)) return false;
    const newest = new URLSearchParams({ order: 'newest', limit: '50', method, path, status: String(status) });
    const headers = { authorization: `Bearer ${this.env['OPERATIONS_TOKEN'] ?? ''}` };
    const looks = [`requests?${newest.toString()}`, 'switches'].map(async (of) =>
      (await fetch(`${this.url}/admin/${of}`, { headers })).json(),
    );
    const [calls, behaviour] = (await Promise.all(looks)) as [{ faults: string[] }[], Behaviour];
    if (calls.some(({ faults }) => faults.length > 0)) return true;
    return SHAPING.some((name) => !isDeepStrictEqual(behaviour[name], DEFAULT_BEHAVIOUR[name]));
  }

  /** Sends a form; files are given by their contents and type. */
  async upload(
    merchant: Merchant,
    path: string,
    {
      files,
      orders = [],
      method = 'POST',
    }: { files: readonly FormFile[]; orders?: readonly unknown[]; method?: string },
  ): Promise<Answer> {
    const form = new FormData();
    for (const { content, type, name = 'file' } of files) form.append('files', new Blob([content], { type }), name);
    for (const order of orders) form.append('orders', String(order));
    return this.call(method, path, { body: form, headers: merchant.headers });
  }

  async admin(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, text, json } = await this.call(method, `/admin${path}`, { body });
    if (status >= 300) throw new Error(`${method} /admin${path} answered ${status}: ${text}`);
    return json;
  }

  /** Adds a merchant with a webhook for these events. */
  async merchant(eventTypes: readonly string[] = ALL_EVENTS): Promise<Merchant> {
    const merchant = new Merchant();
    const { contractAccountId, username, password, apiKey } = merchant;
    await this.admin('POST', '/tenants', { contractAccountId, username, password, apiKey });
    const body = {
      originType: 'Api_call',
      originData: 'test',
      url: this.receiver.url,
      authType: 'Bearer',
      authToken: 'a-token',
      eventTypes,
    };
    const answer = await this.call('POST', '/v1/Webhooks', { body, headers: merchant.headers });
    if (answer.status !== 200) throw new Error(`the webhook was answered ${answer.status}: ${answer.text}`);
    return merchant;
  }

  /** Adds a merchant with a product of one SKU, the samples of `catalog-items.ts`. */
  async stockedMerchant(): Promise<Merchant> {
    const merchant = await this.merchant();
    await this.load(merchant, [productItem({ skus: [skuItem()] })]);
    await this.idle();
    return merchant;
  }

  async load(merchant: Merchant, items: unknown): Promise<string> {
    const answer = await this.call('POST', '/v1/batch/Products', { body: items, headers: merchant.headers });
    if (answer.status !== 200) throw new Error(`the batch was answered ${answer.status}: ${answer.text}`);
    return answer.json as string;
  }

  /** Makes an asynchronous call; returns its operation id. */
  async accepted(merchant: Merchant, method: string, path: string, body: unknown): Promise<string> {
    const answer = await this.call(method, path, { body, headers: merchant.headers });
    if (answer.status !== 200) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
    return (answer.json as { operationId: string }).operationId;
  }

  async buy(merchant: Merchant, order: Record<string, unknown> = {}): Promise<{ number: number; id: string }> {
    const body = {
      contractAccountId: merchant.contractAccountId,
      items: [{ skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 }],
      payment: 'approved',
      ...order,
    };
    return (await this.admin('POST', '/orders', body)) as { number: number; id: string };
  }

  /** Waits until core and sender are idle. */
  async idle(): Promise<void> {
    await this.admin('POST', '/idle', { timeoutMs: ANSWER_LIMIT_MS });
  }

  /** Statuses that `Order_Updated` notified for an order, sorted, because notifications arrive in any order. */
  notifiedStatuses(merchant: Merchant, orderNumber: number): number[] {
    return this.envelopesOf(merchant, 'Order_Updated')
      .filter(({ data }) => data.number === orderNumber)
      .map(({ data }) => data.status as number)
      .toSorted((a, b) => a - b);
  }

  envelopesOf({ contractAccountId }: Merchant, eventType?: string): ReturnType<Receiver['envelopes']> {
    return this.receiver.envelopes(eventType).filter((envelope) => envelope.contractAccountId === contractAccountId);
  }
}

function matches(route: string, path: string): boolean {
  return new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
