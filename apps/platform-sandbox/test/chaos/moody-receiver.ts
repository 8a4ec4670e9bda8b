import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { reply, type Reply, TestServer } from '@gondola/local-stack/testing/test-server';
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
  private server!: TestServer;

  private constructor(options: MoodyReceiverOptions) {
    this.options = options;
  }

  static async listen(options: MoodyReceiverOptions): Promise<MoodyReceiver> {
    const receiver = new MoodyReceiver(options);
    receiver.server = await TestServer.start(({ body }, response) => receiver.receive(body, response));
    return receiver;
  }

  get url(): string {
    return `${this.server.url}/hook`;
  }

  async close(): Promise<void> {
    await this.server.stop();
  }

  private async receive(bytes: Buffer, response: ServerResponse): Promise<void> {
    const identity = identityOf(bytes);
    const time = (this.times.get(identity) ?? 0) + 1;
    this.times.set(identity, time);
    const answer = this.mood(`${identity}:${time}`);
    const status = typeof answer === 'string' ? null : answer.status;
    await this.options.onArrival?.(this.arrivals.push({ sha256: sha256Of(bytes), answer: status }));
    reply(response, answer);
  }

  private mood(purpose: string): Reply {
    const { refuses, drops, hangs } = this.options.shares;
    const roll = this.options.dice(`receiver:${purpose}`);
    if (roll < refuses) return { status: 500 };
    if (roll < refuses + drops) return 'drop';
    return roll < refuses + drops + hangs ? 'hang' : { status: 200 };
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
