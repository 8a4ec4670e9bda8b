import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type ReceivedRequest, TestServer } from '@gondola/local-stack/testing/test-server';

export interface ReceivedWebhook {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly envelope: Envelope;
}

export interface Envelope {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly relatedEntity: string;
  readonly eventType: string;
  readonly data: Record<string, unknown>;
  readonly error?: Record<string, unknown>;
}

/** Determines the answer to a delivery; null leaves it without an answer. */
export type Answering = (webhook: ReceivedWebhook, nth: number) => number | null | Promise<number | null>;

/** A receiver of webhooks on its own port. It answers 200 unless a test sets another answer. */
export class Receiver {
  readonly received: ReceivedWebhook[] = [];
  answering: Answering = () => 200;
  isListening = true;
  private server!: TestServer;

  static async listen(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server = await TestServer.start((request, response) => receiver.answer(request, response));
    return receiver;
  }

  get url(): string {
    return `${this.server.url}/hook`;
  }

  envelopes(eventType?: string): Envelope[] {
    const all = this.received.map(({ envelope }) => envelope);
    return eventType === undefined ? all : all.filter((envelope) => envelope.eventType === eventType);
  }

  private async answer({ method, headers, body: bytes }: ReceivedRequest, response: ServerResponse): Promise<void> {
    const webhook = { method, headers, bytes, envelope: envelopeOf(bytes) };
    const nth = this.received.push(webhook);
    const status = await this.answering(webhook, nth);
    if (status === null) response.socket?.destroy();
    else response.writeHead(status).end();
  }

  async close(): Promise<void> {
    await this.server.stop();
    this.isListening = false;
  }
}

function envelopeOf(bytes: Buffer): Envelope {
  try {
    return JSON.parse(bytes.toString('utf8')) as Envelope;
  } catch {
    return { operationId: '', contractAccountId: '', relatedEntity: '', eventType: '', data: {} };
  }
}
