import { Incoming, type ReceivedBody, type Receiver } from '../../src/notifications/read-notification.ts';
import { envelope } from './deliver.ts';
import { ACME } from './ingest-bench.ts';

export const ACME_RECEIVER: Receiver = {
  id: 'acme',
  contractAccountId: ACME,
  users: false,
  isMirrored: false,
};

/** A body received from `acme`, without the webhook path. */
export function received(body: string = envelope(), more: Partial<ReceivedBody> = {}): ReceivedBody {
  return {
    tenant: 'acme',
    body: Buffer.from(body),
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    receivedAt: new Date(),
    ...more,
  };
}

export function incoming(body: string = envelope()): Incoming {
  return new Incoming(ACME_RECEIVER, received(body));
}
