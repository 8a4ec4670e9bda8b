import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly method: string | undefined;
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
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void this.answer(Buffer.concat(chunks), request, response));
  });

  static async listen(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => {
      receiver.server.listen(0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  get isListening(): boolean {
    return this.server.listening;
  }

  envelopes(eventType?: string): Envelope[] {
    const all = this.received.map(({ envelope }) => envelope);
    return eventType === undefined ? all : all.filter((envelope) => envelope.eventType === eventType);
  }

  private async answer(bytes: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const webhook = { method, headers, bytes, envelope: envelopeOf(bytes) };
    const nth = this.received.push(webhook);
    const status = await this.answering(webhook, nth);
    if (status === null) request.socket.destroy();
    else response.writeHead(status).end();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

function envelopeOf(bytes: Buffer): Envelope {
  try {
    return JSON.parse(bytes.toString('utf8')) as Envelope;
  } catch {
    return { operationId: '', contractAccountId: '', relatedEntity: '', eventType: '', data: {} };
  }
}
