// A collector for tests: it takes spans by OTLP over HTTP, as JSON.
import { type ReceivedRequest, reply, TestServer } from '@gondola/local-stack/testing/test-server';

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
  readonly requests: ReceivedRequest[] = [];
  readonly spans: ReceivedSpan[] = [];
  #server!: TestServer;

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.#server = await TestServer.start((request, response) => {
      receiver.requests.push(request);
      if (request.path === '/v1/traces') receiver.#take(JSON.parse(String(request.body)) as Export);
      reply(response, { status: 200, json: {} });
    });
    return receiver;
  }

  /** `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get url(): string {
    return this.#server.url;
  }

  async close(): Promise<void> {
    await this.#server.stop();
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
