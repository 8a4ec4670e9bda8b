import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { PlatformClient } from './platform-client.ts';
import { DEFAULT_WIRE_PROFILE } from './wire-profile.ts';

/**
 * Texts that would end a line, a path or a query, climb a path, or begin another request if they were sent
 * unencoded.
 */
const HOSTILE = [
  'a\r\nX-Evil: 1\r\n\r\nDELETE /v1/batch/Brands HTTP/1.1\r\n\r\n',
  'a\nX-Evil: 1',
  'a?externalReference=b&x=1#f',
  '../../Webhooks',
  '..\\..\\Webhooks',
  '%2e%2e/%0d%0aX-Evil: 1',
  'a b"; filename="x\r\nX-Evil: 1',
  'é\0\u2028\ud800',
];

/**
 * A server that does not interpret HTTP: it records the bytes as sent, answers every request with 200 and closes
 * its connection.
 */
class RawServer {
  readonly requests: Buffer[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => this.#take(socket));

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take(socket: Socket): void {
    const chunks: Buffer[] = [];
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      if (!isWhole(bytes)) return;
      this.requests.push(bytes);
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      );
    });
  }
}

/** Head and body of a request, by the length that it declares. */
function partsOf(bytes: Buffer): { readonly lines: readonly string[]; readonly body: string } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  return { lines: bytes.toString('latin1', 0, end).split('\r\n'), body: bytes.toString('utf8', end + 4) };
}

function isWhole(bytes: Buffer): boolean {
  const parts = partsOf(bytes);
  if (parts === null) return false;
  const length = parts.lines.find((line) => line.toLowerCase().startsWith('content-length:'));
  return Buffer.byteLength(parts.body) >= Number(length?.split(':')[1] ?? 0);
}

const CONTENT = new Blob([Buffer.from('%PDF-1.7')]);

type Route = readonly [line: RegExp, call: (client: PlatformClient, hostile: string) => Promise<unknown>];

/** Every call with text from a record, and the only request line that it may send; `*` is one encoded segment. */
const ROUTES: Readonly<Record<string, Route>> = {
  getProduct: [line('GET /v1/batch/Products/*'), (client, text) => client.getProduct(text)],
  deleteBrands: [
    line('DELETE /v1/batch/Brands'),
    (client, text) => client.sendRecords('deleteBrands', JSON.stringify([text])),
  ],
  postBrands: [
    line('POST /v1/batch/Brands'),
    (client, text) => client.sendRecords('postBrands', JSON.stringify([text])),
  ],
  postCategories: [
    line('POST /v1/batch/Categories'),
    (client, text) => client.sendRecords('postCategories', JSON.stringify([text])),
  ],
  postProducts: [
    line('POST /v1/batch/Products'),
    (client, text) => client.sendRecords('postProducts', JSON.stringify([text])),
  ],
  postPrices: [
    line('POST /v1/batch/Pricing'),
    (client, text) => client.sendRecords('postPrices', JSON.stringify([text])),
  ],
  postWarehouses: [
    line('POST /v1/batch/Warehouses'),
    (client, text) => client.sendRecords('postWarehouses', JSON.stringify([text])),
  ],
  postStock: [
    line('POST /v1/batch/Warehouses/sku'),
    (client, text) => client.sendRecords('postStock', JSON.stringify([text])),
  ],
  patchOrderStatus: [
    line('PATCH /v1/Orders/*/status'),
    (client, text) => client.patchOrderStatus(text, 'PICKING' as never),
  ],
  getOrderStatus: [line('GET /v1/Orders/*/status'), (client, text) => client.getOrderStatus(text)],
  getWebhookPayload: [
    line('GET /v1/Orders/*/webhook-payload\\?version=2'),
    (client, text) => client.getWebhookPayload(text),
  ],
  getOrderDetails: [line('GET /v1/gateway/orders/*/details'), (client, text) => client.getOrderDetails(text)],
  putOrder: [line('PUT /v1/Orders/*'), (client, text) => client.putOrder(text, JSON.stringify({ text }))],
  putInvoiced: [
    line('PUT /v1/Orders/invoiced/*'),
    (client, text) => client.putInvoiced(text, JSON.stringify({ text })),
  ],
  cancelOrder: [line('POST /v1/Orders/*/cancel'), (client, text) => client.cancelOrder(text, text)],
  uploadImages: [
    line('POST /v1/Storages/image/upload\\?externalReference=*'),
    (client, text) =>
      client.uploadImages(text, [{ content: CONTENT, fileName: text, mediaType: 'image/png', order: 1 }]),
  ],
  listFiles: [line('GET /v1/Storages/file/*/1'), (client, text) => client.listFiles(text, FILE_TYPES.SKU)],
  removeFiles: [
    line('DELETE /v1/Storages/file/*'),
    (client, text) => client.removeFiles(text, { fileType: FILE_TYPES.SKU, urls: [text] }),
  ],
  uploadInvoicePdf: [
    line('POST /v1/Storages/invoice/upload\\?orderId=*'),
    (client, text) => client.uploadInvoicePdf(text, { content: CONTENT, fileName: text }),
  ],
  getInvoice: [line('GET /v1/Storages/invoice\\?orderId=*'), (client, text) => client.getInvoice(text)],
};

function line(form: string): RegExp {
  // A segment of the characters that the encoding leaves, none of which has a special meaning in a URL.
  return new RegExp(`^${form.replace('*', "(?:[A-Za-z0-9_!~*'().-]|%[0-9A-F]{2})+")} HTTP/1\\.1$`);
}

/** Header lines that this client sends. */
const HEADERS =
  /^(?:(?:host|connection|authorization|x-contractaccountid|accept|content-type|content-length|traceparent): |x-api-key: key$)/i;

let server: RawServer;
let client: PlatformClient;

beforeEach(async () => {
  server = new RawServer();
  const baseUrl = await server.start();
  client = new PlatformClient({
    tenant: 'acme',
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    baseUrl,
    coreBaseUrl: baseUrl,
    username: 'erp-one',
    password: 'word',
    coreApiKey: 'key',
    concurrency: 1,
    // The server answers no route as the document does, which must not open a circuit breaker here.
    breaker: { failuresInRow: 1_000 },
    profile: DEFAULT_WIRE_PROFILE,
  });
});

afterEach(async () => {
  await client.close();
  await server.stop();
});

describe.each(Object.entries(ROUTES))('a hostile reference in %s', (_route, [requestLine, call]) => {
  it('reaches the platform in one request of that route, and in no header (rule 36)', async () => {
    for (const hostile of HOSTILE) {
      server.requests.length = 0;
      await call(client, hostile);
      expect(server.requests).toHaveLength(1);
      const { lines, body } = partsOf(server.requests[0]!)!;
      expect(lines[0]).toMatch(requestLine);
      expect(lines.slice(1).filter((header) => !HEADERS.test(header))).toEqual([]);
      const length = lines.find((header) => header.toLowerCase().startsWith('content-length:'))?.split(':')[1];
      expect(Buffer.byteLength(body)).toBe(Number(length ?? 0));
      // In a body the text is JSON text, or quoted in the head of a part: no line begins with the injected header.
      expect(body).not.toMatch(/^X-Evil/m);
    }
  });
});

describe('an invalid trace header', () => {
  it('is omitted', async () => {
    await client.getProduct('4711', { traceparent: '00-x\r\nX-Evil: 1' });
    expect(server.requests[0]?.toString()).not.toContain('X-Evil');
  });
});
