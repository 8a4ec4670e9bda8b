import { quarantined, readNotification, type ReadNotification, type Receiver } from './read-notification.ts';

/** A body as it was received, before it is read. */
export interface ReceivedBody {
  readonly tenant: string;
  readonly body: Buffer;
  readonly traceparent: string;
  readonly receivedAt: Date;
}

/** A body as it was received, and what it means, which is read on first use: the spool never reads it. */
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
   * If reading ever fails, the body goes into quarantine like any other that is not understood: sent again, it would
   * fail again, and then be lost.
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
