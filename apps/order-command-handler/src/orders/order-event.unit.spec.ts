import { describe, expect, it } from '@jest/globals';
import { type OrderEvent, buildOrderEvent, encodeOrderEvent } from './order-event.ts';
import { scanEnvelope, spanBytes } from '@gondola/shared/json/span-scanner';

const event = buildOrderEvent({
  type: 'OrderApproved',
  tenant: 'acme',
  time: '2026-11-20T13:15:02.114Z',
  orderNumber: 100_234,
  revision: 1,
  previousStatus: null,
  status: { code: 300, name: 'PAYMENT_APPROVED' },
  changes: ['status'],
  hold: false,
  attention: null,
  cause: { kind: 'platform' },
  order: {} as OrderEvent['order'],
});

describe('order event', () => {
  it('has its dedup key as id', () => {
    expect(event.id).toBe('acme:order:100234:1');
  });

  it('carries the platform data byte for byte', () => {
    const platform = new TextEncoder().encode('{ "v" : 1.10,\n "nome":"A\\u00e7ai", "__proto__":null }');
    const bytes = encodeOrderEvent(event, platform);
    const scan = scanEnvelope(bytes);
    expect(scan.ok && spanBytes(bytes, scan.spans.get('platform'))).toEqual(platform);
    expect(scan.ok && [...scan.spans.keys()]).toEqual([...Object.keys(event), 'platform']);
  });

  it('says null where there is no platform data', () => {
    expect(JSON.parse(new TextDecoder().decode(encodeOrderEvent(event, null)))).toEqual({ ...event, platform: null });
  });
});
