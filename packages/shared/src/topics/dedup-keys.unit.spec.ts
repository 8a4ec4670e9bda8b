import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type NotificationKeyParts,
  derivedCommandKey,
  notificationKey,
  orderEventKey,
  positionRecordId,
  recordHash16,
  resultKey,
  skuKey,
} from './dedup-keys.ts';
import { OUTCOMES } from '../outcomes/outcomes.ts';
import { isSameCut, twoCuts } from '../testing/arbitrary-json.ts';
import { TOPIC_NAMES } from './topics.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const tenant = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,3}$/);
const nasty = fc.string({ unit: fc.constantFrom('a', ':', '%', '%3A', '-', 'waiting', 'invalid', '2'), maxLength: 4 });
const block = fc.option(fc.string({ unit: fc.constantFrom('a', ':', '-', '1', '0'), maxLength: 5 }).map(bytes));
const parts: fc.Arbitrary<NotificationKeyParts> = fc.record({
  tenant,
  operationId: nasty,
  eventType: nasty,
  dataBytes: block,
  errorBytes: block,
});

const partsText = (p: NotificationKeyParts): string =>
  JSON.stringify([p.tenant, p.operationId, p.eventType, p.dataBytes?.join(), p.errorBytes?.join()]);

describe('dedup keys', () => {
  it('have the form of the contract', () => {
    const key = notificationKey({
      tenant: 'acme',
      operationId: '6f1c',
      eventType: 'Order_Updated',
      dataBytes: bytes('{}'),
      errorBytes: null,
    });
    expect(key).toMatch(/^acme:6f1c:Order_Updated:[0-9a-f]{64}$/);
    expect(orderEventKey('acme', 100_234, 3)).toBe('acme:order:100234:3');
    expect(resultKey('acme', 'erp.orders.commands.v1', 'c-88', 'applied')).toBe(
      'acme:result:erp.orders.commands.v1:c-88:applied',
    );
    expect(resultKey('acme', 'erp.catalog.products.v1', 'r', 'waiting', 2)).toBe(
      'acme:result:erp.catalog.products.v1:r:waiting:2',
    );
    expect(skuKey('acme', '4711-1')).toBe('acme/4711-1');
    expect(derivedCommandKey('acme', 'c-88/pdf')).toBe('acme:command:c-88/pdf');
    expect(positionRecordId('p.erp.catalog.products.v1', 3, '17')).toBe('p.erp.catalog.products.v1/3/17');
  });

  it('are equal for one event and differ for different ones, however the bytes are divided (rule 1)', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        expect(notificationKey(a) === notificationKey(b)).toBe(partsText(a) === partsText(b));
      }),
      { numRuns: 2000 },
    );
  });

  it('contain the digest of both blocks, each after its length, of any size (rule 1)', () => {
    const size = fc.oneof(fc.nat(100), fc.integer({ min: 65_000, max: 66_000 }), fc.constant(200_000));
    fc.assert(
      fc.property(fc.option(size), fc.option(size), (data, error) => {
        const blocks = [data, error].map((length) => (length === null ? null : Buffer.alloc(length, 'ação')));
        const digest = createHash('sha256');
        for (const one of blocks) digest.update(one === null ? '-:' : `${one.length}:`).update(one ?? '');
        const [dataBytes = null, errorBytes = null] = blocks;
        const key = notificationKey({ tenant: 'acme', operationId: '6f1c', eventType: 'E', dataBytes, errorBytes });
        expect(key).toBe(`acme:6f1c:E:${digest.digest('hex')}`);
      }),
    );
  });

  it('differ if the same text is divided differently into operation and event, or data and error (rule 1)', () => {
    const base = { tenant: 'acme', dataBytes: null, errorBytes: null };
    fc.assert(
      fc.property(twoCuts(':', ['a', '', '%', '3A']), (cuts) => {
        const [one, other] = cuts.map(([operationId, eventType]) =>
          notificationKey({ ...base, operationId, eventType }),
        );
        expect(one === other).toBe(isSameCut(cuts));
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(twoCuts('', ['a', ':', '-', '1']), (cuts) => {
        const [one, other] = cuts.map(([data, error]) =>
          notificationKey({
            ...base,
            operationId: 'o',
            eventType: 'e',
            dataBytes: bytes(data),
            errorBytes: bytes(error),
          }),
        );
        expect(one === other).toBe(isSameCut(cuts));
      }),
      { numRuns: 1000 },
    );
  });

  it('distinguish data from error, and an absent block from an empty one (rule 1)', () => {
    const base = { tenant: 'acme', operationId: 'o', eventType: 'e' };
    const keys = [
      notificationKey({ ...base, dataBytes: bytes('ab'), errorBytes: bytes('c') }),
      notificationKey({ ...base, dataBytes: bytes('a'), errorBytes: bytes('bc') }),
      notificationKey({ ...base, dataBytes: bytes('abc'), errorBytes: null }),
      notificationKey({ ...base, dataBytes: null, errorBytes: bytes('abc') }),
      notificationKey({ ...base, dataBytes: bytes('abc'), errorBytes: new Uint8Array() }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('differ for different results, whatever the name of the command', () => {
    const result = fc.record({
      tenant,
      topic: fc.constantFrom(...TOPIC_NAMES),
      commandId: nasty,
      outcome: fc.constantFrom(...OUTCOMES),
      suffix: fc.option(fc.oneof(fc.integer({ min: 2, max: 3 }), fc.constant('0123456789abcdef')), { nil: undefined }),
    });
    fc.assert(
      fc.property(result, result, (a, b) => {
        const key = (r: typeof a): string => resultKey(r.tenant, r.topic, r.commandId, r.outcome, r.suffix);
        expect(key(a) === key(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 2000 },
    );
  });

  it('contain the first 16 digits of the SHA-256 of the bytes as received', () => {
    const value = bytes('{"a": 1}');
    expect(recordHash16(value)).toBe(createHash('sha256').update(value).digest('hex').slice(0, 16));
  });
});
