import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dice } from './dice.ts';

/** One delivery at the receiver; `answer` is null if it closed the connection or never answered. */
export interface Arrival {
  readonly sha256: string;
  readonly answer: number | null;
}

export interface MoodyReceiverOptions {
  readonly dice: Dice;
  /** Shares of deliveries that are refused, disconnected, and never answered; all others are accepted. */
  readonly shares: { readonly refuses: number; readonly drops: number; readonly hangs: number };
  /** Called before the answer; a promise delays it. */
  readonly onArrival?: (arrivals: number) => void | Promise<void>;
}

/**
 * A receiver of webhooks that accepts, refuses, disconnects and hangs as its seed decides, and records all
 * deliveries.
 */
export class MoodyReceiver {
  readonly arrivals: Arrival[] = [];
  private readonly options: MoodyReceiverOptions;
  private readonly times = new Map<string, number>();
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void this.receive(Buffer.concat(chunks), request, response));
  });

  private constructor(options: MoodyReceiverOptions) {
    this.options = options;
  }

  static async listen(options: MoodyReceiverOptions): Promise<MoodyReceiver> {
    const receiver = new MoodyReceiver(options);
    await new Promise<void>((resolve) => {
      receiver.server.listen(0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private async receive(bytes: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const identity = identityOf(bytes);
    const time = (this.times.get(identity) ?? 0) + 1;
    this.times.set(identity, time);
    const answer = this.mood(`${identity}:${time}`);
    const index = this.arrivals.push({ sha256: sha256Of(bytes), answer: answer === 'hang' ? null : answer }) - 1;
    await this.options.onArrival?.(index + 1);
    if (answer === null) request.socket.destroy();
    else if (answer !== 'hang') response.writeHead(answer).end();
  }

  private mood(purpose: string): number | 'hang' | null {
    const { refuses, drops, hangs } = this.options.shares;
    const roll = this.options.dice(`receiver:${purpose}`);
    if (roll < refuses) return 500;
    if (roll < refuses + drops) return null;
    return roll < refuses + drops + hangs ? 'hang' : 200;
  }
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface Envelope {
  readonly eventType: string;
  readonly data: {
    readonly number?: number;
    readonly status?: number;
    readonly product?: { readonly externalReference: string };
  };
}

/** Entity of a delivery, whatever its operation. */
function identityOf(bytes: Buffer): string {
  let envelope: Envelope;
  try {
    envelope = JSON.parse(bytes.toString('utf8')) as Envelope;
  } catch {
    return sha256Of(bytes);
  }
  const { eventType, data } = envelope;
  const about = data?.product?.externalReference ?? data?.number ?? '';
  return `${eventType}:${about}:${data?.status ?? ''}`;
}
