import { quarantined, readNotification, type ReadNotification, type Receiver } from './read-notification.ts';

/** A received body that is not read yet. */
export interface ReceivedBody {
  readonly tenant: string;
  readonly body: Buffer;
  readonly traceparent: string;
  readonly receivedAt: Date;
}

/** A received body and its meaning, which is read on first use: the spool never reads it. */
export class Incoming {
  readonly received: ReceivedBody;
  readonly #receiver: Receiver;
  #read: ReadNotification | undefined;

  constructor(receiver: Receiver, received: ReceivedBody) {
    this.#receiver = receiver;
    this.received = received;
  }

  get read(): ReadNotification {
    this.#read ??= this.#reading();
    return this.#read;
  }

  /**
   * A body that cannot be read goes into the quarantine like any other that is not understood: delivered again, it
   * would fail again and then be lost.
   */
  #reading(): ReadNotification {
    const { tenant, body } = this.received;
    try {
      return readNotification(this.#receiver, body);
    } catch (error) {
      return {
        kind: 'quarantine',
        quarantined: quarantined(tenant, body, 'NOT_STORABLE', error instanceof Error ? error.name : typeof error),
      };
    }
  }
}
