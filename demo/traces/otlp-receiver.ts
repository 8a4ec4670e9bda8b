// A collector for tests: it takes spans by OTLP over HTTP, as JSON.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as it arrived, with the service that made it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isFailed: boolean;
}

type Pair = { key: string; value: Record<string, unknown> };
type WireSpan = Omit<ReceivedSpan, 'service' | 'attributes' | 'links' | 'isFailed'> & {
  attributes: Pair[];
  links?: ReceivedSpan['links'];
  status: { code?: number };
};
type Export = { resourceSpans: { resource: { attributes: Pair[] }; scopeSpans: { spans: WireSpan[] }[] }[] };

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => void receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = (await json(request)) as Export;
    if (request.method === 'POST' && request.url === '/v1/traces') this.#take(sent);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = valuesOf(resource.attributes)['service.name'] ?? '';
      for (const { attributes, links = [], status, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        const isFailed = status.code === 2;
        this.spans.push({ ...span, service, attributes: valuesOf(attributes), links, isFailed });
      }
    }
  }
}

function valuesOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
