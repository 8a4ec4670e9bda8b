import { describe, expect, it } from '@jest/globals';
import { envelope } from '../../test/support/deliver.ts';
import { ACME_RECEIVER, incoming, received } from '../../test/support/incoming.ts';
import { Incoming } from './incoming.ts';

describe('an incoming body', () => {
  it('is read once, when that is asked for', () => {
    const one = incoming(envelope({ data: { number: 7 } }));
    expect(one.read).toMatchObject({ kind: 'notification', notification: { partitionKey: 'acme/order/7' } });
    expect(one.read).toBe(one.read);
  });

  it('is put into quarantine if reading it fails', () => {
    const broken = { ...ACME_RECEIVER, contractAccountId: null as never };
    expect(new Incoming(broken, received()).read).toMatchObject({
      kind: 'quarantine',
      quarantined: { reason: 'NOT_STORABLE', detail: 'TypeError' },
    });
  });
});
