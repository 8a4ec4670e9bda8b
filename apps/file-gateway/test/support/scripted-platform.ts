import { randomUUID } from 'node:crypto';
import { reply, type ReceivedRequest, type Reply, TestServer } from '@gondola/local-stack/testing/test-server';

/** A file as the platform received it. */
export interface ReceivedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** One request that the platform received. */
export interface PlatformRequest {
  readonly method: string;
  readonly path: string;
  /** Entity of the request: SKU reference, order GUID or order number. */
  readonly about: string;
  readonly size: number;
  readonly orders: readonly string[];
  readonly files: readonly ReceivedFile[];
  readonly contractAccountId: string | undefined;
  /** The body if it is no form. */
  readonly text: string;
}

export type Script = (request: PlatformRequest) => Reply | Promise<Reply>;

type RouteName =
  | 'onUploadImages'
  | 'onUndoImages'
  | 'onRemoveFiles'
  | 'onRemoveAll'
  | 'onListImages'
  | 'onUploadInvoice'
  | 'onFindInvoice'
  | 'onPayload';

const ROUTES: ReadonlyArray<readonly [string, RegExp, RouteName]> = [
  ['POST', /^\/v1\/Storages\/image\/upload\?externalReference=([^&]+)$/, 'onUploadImages'],
  ['DELETE', /^\/v1\/Storages\/image\/upload\?externalReference=([^&]+)$/, 'onUndoImages'],
  ['DELETE', /^\/v1\/Storages\/file\/([^/]+)$/, 'onRemoveFiles'],
  ['DELETE', /^\/v1\/Storages\/delete\/([^/]+)$/, 'onRemoveAll'],
  ['GET', /^\/v1\/Storages\/file\/([^/]+)\/\d$/, 'onListImages'],
  ['POST', /^\/v1\/Storages\/invoice\/upload\?orderId=([^&]+)$/, 'onUploadInvoice'],
  ['GET', /^\/v1\/Storages\/invoice\?orderId=([^&]+)$/, 'onFindInvoice'],
  ['GET', /^\/v1\/Orders\/([^/]+)\/webhook-payload\?version=2$/, 'onPayload'],
];

/**
 * The storage routes of a platform whose behaviour each test sets. It stores the files passed to `storeImages` and
 * `storeInvoice` and knows no rules. It does not replace the sandbox.
 */
export class ScriptedPlatform {
  readonly requests: PlatformRequest[] = [];
  /** Addresses by SKU. */
  readonly images = new Map<string, string[]>();
  /** Files attached to an order, in the sequence of arrival. */
  readonly invoices = new Map<string, ReceivedFile[]>();
  onUploadImages!: Script;
  onUndoImages!: Script;
  onRemoveFiles!: Script;
  onRemoveAll!: Script;
  onListImages!: Script;
  onUploadInvoice!: Script;
  onFindInvoice!: Script;
  onPayload!: Script;
  #server!: TestServer;

  private constructor() {
    this.reset();
  }

  static async start(): Promise<ScriptedPlatform> {
    const platform = new ScriptedPlatform();
    platform.#server = await TestServer.start(async (request, response) => {
      reply(response, await platform.#replyTo(request));
    });
    return platform;
  }

  /** Accepts every upload and shows it at once. */
  reset(): void {
    this.onUploadImages = (request) => {
      this.storeImages(request);
      return { status: 200, json: { operationId: randomUUID() } };
    };
    this.onUploadInvoice = (request) => {
      this.storeInvoice(request);
      return { status: 200 };
    };
    this.onUndoImages = (request) => {
      this.undoImages(request);
      return { status: 200, json: { operationId: randomUUID() } };
    };
    this.onRemoveFiles = (request) => {
      this.removeFiles(request);
      return { status: 200, json: { operationId: randomUUID() } };
    };
    this.onRemoveAll = () => ({ status: 200, json: { operationId: randomUUID() } });
    this.onListImages = ({ about }) => ({ status: 200, json: this.images.get(about) ?? [] });
    this.onFindInvoice = ({ about }) => {
      const uploads = this.invoices.get(about)?.length ?? 0;
      const name = uploads > 1 ? `${about}-${uploads}` : about;
      return uploads === 0 ? { status: 404 } : { status: 200, json: { url: `https://files.example.com/${name}.pdf` } };
    };
    this.onPayload = () => ({ status: 404 });
  }

  storeImages({ about, files }: PlatformRequest): void {
    const urls = files.map(({ name }) => `https://files.example.com/${randomUUID()}/${name}`);
    this.images.set(about, [...(this.images.get(about) ?? []), ...urls]);
  }

  /** Removes the newest addresses of a SKU, as many as images are sent again. */
  undoImages({ about, files }: PlatformRequest): void {
    this.images.set(about, (this.images.get(about) ?? []).slice(0, -files.length));
  }

  removeFiles({ about, text }: PlatformRequest): void {
    const { urls = [] } = JSON.parse(text) as { urls?: string[] };
    this.images.set(
      about,
      (this.images.get(about) ?? []).filter((url) => !urls.includes(url)),
    );
  }

  storeInvoice({ about, files }: PlatformRequest): void {
    this.invoices.set(about, [...(this.invoices.get(about) ?? []), ...files]);
  }

  get url(): string {
    return this.#server.url;
  }

  requestsOf(about: string, method: string): PlatformRequest[] {
    return this.requests.filter((each) => each.about === about && each.method === method);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  async #replyTo({ method, path, headers, body }: ReceivedRequest): Promise<Reply> {
    const { orders, files } = await form(body, headers['content-type']);
    const route = ROUTES.find(([verb, pattern]) => verb === method && pattern.test(path));
    const about = decodeURIComponent(route?.[1].exec(path)?.[1] ?? '');
    const contractAccountId = String(headers['x-contractaccountid']);
    const text = files.length === 0 ? body.toString() : '';
    const request = { method, path, about, size: body.length, orders, files, contractAccountId, text };
    this.requests.push(request);
    return route === undefined ? { status: 404 } : await this[route[2]](request);
  }
}

async function form(
  bytes: Buffer,
  contentType: string | undefined,
): Promise<{ orders: string[]; files: ReceivedFile[] }> {
  if (!contentType?.startsWith('multipart/')) return { orders: [], files: [] };
  const parsed = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  const files = parsed.getAll('files').filter((part) => typeof part !== 'string');
  return {
    orders: parsed.getAll('orders').map(String),
    files: await Promise.all(
      files.map(async (file) => ({
        name: file.name,
        type: file.type,
        bytes: Buffer.from(await file.arrayBuffer()),
      })),
    ),
  };
}
