import { randomUUID } from 'node:crypto';
import type { EvasiveReads } from '@gondola/local-stack/testing/evasive-reads';
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

const ROUTES = {
  uploadImages: ['POST', /^\/v1\/Storages\/image\/upload\?externalReference=([^&]+)$/],
  undoImages: ['DELETE', /^\/v1\/Storages\/image\/upload\?externalReference=([^&]+)$/],
  removeFiles: ['DELETE', /^\/v1\/Storages\/file\/([^/]+)$/],
  removeAll: ['DELETE', /^\/v1\/Storages\/delete\/([^/]+)$/],
  listImages: ['GET', /^\/v1\/Storages\/file\/([^/]+)\/\d$/],
  uploadInvoice: ['POST', /^\/v1\/Storages\/invoice\/upload\?orderId=([^&]+)$/],
  findInvoice: ['GET', /^\/v1\/Storages\/invoice\?orderId=([^&]+)$/],
  payload: ['GET', /^\/v1\/Orders\/([^/]+)\/webhook-payload\?version=2$/],
} as const satisfies Readonly<Record<string, readonly [method: string, path: RegExp]>>;

type RouteName = keyof typeof ROUTES;

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
  on: Record<RouteName, Script> = this.#atFirst();
  /** Changes what reads are answered; null for nothing. */
  evasive: EvasiveReads | null = null;
  #server!: TestServer;

  static async start(): Promise<ScriptedPlatform> {
    const platform = new ScriptedPlatform();
    platform.#server = await TestServer.start(async (request, response) => {
      const own = await platform.#replyTo(request);
      reply(response, platform.evasive?.answer(request, own) ?? own);
    });
    return platform;
  }

  reset(): void {
    this.on = this.#atFirst();
  }

  /** Accepts every upload and shows it at once. */
  #atFirst(): Record<RouteName, Script> {
    return {
      uploadImages: carriedOut((request) => this.storeImages(request)),
      undoImages: carriedOut((request) => this.undoImages(request)),
      removeFiles: carriedOut((request) => this.removeFiles(request)),
      removeAll: carriedOut(() => {}),
      listImages: ({ about }) => ({ status: 200, json: this.images.get(about) ?? [] }),
      uploadInvoice: (request) => {
        this.storeInvoice(request);
        return { status: 200 };
      },
      findInvoice: ({ about }) => {
        const uploads = this.invoices.get(about)?.length ?? 0;
        const name = uploads > 1 ? `${about}-${uploads}` : about;
        if (uploads === 0) return { status: 404 };
        return { status: 200, json: { url: `https://files.example.com/${name}.pdf` } };
      },
      payload: () => ({ status: 404 }),
    };
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
    const [route, about = ''] = routeOf(method, path);
    const contractAccountId = String(headers['x-contractaccountid']);
    const text = files.length === 0 ? body.toString() : '';
    const request = { method, path, about, size: body.length, orders, files, contractAccountId, text };
    this.requests.push(request);
    return route === null ? { status: 404 } : await this.on[route](request);
  }
}

function carriedOut(change: (request: PlatformRequest) => void): Script {
  return (request) => {
    change(request);
    return { status: 200, json: { operationId: randomUUID() } };
  };
}

/** Route of a request, and the entity in its path. */
function routeOf(method: string, path: string): [RouteName | null, about?: string] {
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const [verb, pattern] = ROUTES[name];
    const found = verb === method ? pattern.exec(path) : null;
    if (found !== null) return [name, decodeURIComponent(found[1] ?? '')];
  }
  return [null];
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
