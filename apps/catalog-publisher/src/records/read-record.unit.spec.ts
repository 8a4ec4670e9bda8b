import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { CATALOG_TOPICS, type CatalogKind } from './catalog-kinds.ts';
import { contentOf, readRecordIdentity } from './read-record.ts';

const KINDS = Object.keys(CATALOG_TOPICS) as CatalogKind[];
const POSITION = 'erp.catalog.products.v1/2/17';

function read(value: unknown, more: { key?: string; tenantHeader?: string; tenants?: string[] } = {}) {
  const bytes = value === null ? null : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const key = more.key === undefined ? null : Buffer.from(more.key);
  return readRecordIdentity(
    'product',
    { value: bytes, key, tenantHeader: more.tenantHeader, position: POSITION },
    more.tenants ?? ['acme'],
  );
}

describe('the identity of a catalog record', () => {
  it('is read from the value, never from the key', () => {
    expect(read({ externalReference: '4711', recordId: 'r-1' }, { key: 'other' })).toMatchObject({
      identity: {
        tenant: 'acme',
        lane: { kind: 'product', identity: '4711' },
        entity: { kind: 'product', externalReference: '4711' },
        commandId: 'r-1',
        command: 'upsert',
      },
    });
  });

  it('may be written as integers, which are the text of their digits (contract, Values)', () => {
    const text = '{"externalReference":4711,"recordId":12345678901234567890}';
    expect(read(text)).toMatchObject({
      identity: { lane: { identity: '4711' }, commandId: '12345678901234567890' },
    });
    expect(contentOf({ value: Buffer.from(text), externalReference: '4711' })).toMatchObject({
      externalReference: '4711',
    });
  });

  it('is the same with blanks around any code, of every kind of record and of a tombstone (contract, Values)', () => {
    const blanks = fc.constantFrom('', ' ', '      ', '\t', '\u00A0');
    const around = fc.tuple(blanks, blanks);
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.array(around, { minLength: 5, maxLength: 5 }), (kind, all) => {
        const codes = ['4711', 'r-1', 'load-1', 'cd-01', 'varejo'];
        const place = (texts: string[], key: string) => {
          const [externalReference, recordId, loadId, warehouse, policy] = texts;
          const value = Buffer.from(JSON.stringify({ externalReference, recordId, loadId, warehouse, policy }));
          const record = { key: Buffer.from(key), tenantHeader: undefined, position: POSITION };
          return [value, null].map((each) => {
            const reading = readRecordIdentity(kind, { ...record, value: each }, ['acme']);
            return reading.kind === 'command' ? { ...reading.identity, contentHash: '' } : reading;
          });
        };
        const written = codes.map((code, at) => all[at]![0] + code + all[at]![1]);
        expect(place(written, written[0]!)).toEqual(place(codes, '4711'));
      }),
    );
  });

  it('is missing if it has nothing but blanks', () => {
    expect(read({ externalReference: '   ' })).toMatchObject({ kind: 'dead-letter', code: 'IDENTITY_MISSING' });
    expect(read(null, { key: '   ' })).toMatchObject({ kind: 'dead-letter', code: 'IDENTITY_MISSING' });
  });

  it('stays what it was for a record that an earlier version took in with blanks around its reference', () => {
    const value = Buffer.from('{"externalReference":"4711 ","skus":[{"externalReference":" 4711-1"}]}');
    expect(contentOf({ value, externalReference: '4711 ' })).toEqual({
      externalReference: '4711 ',
      skus: [{ externalReference: '4711-1' }],
    });
  });

  it('is its place where the ERP gave no recordId', () => {
    expect(read({ externalReference: '4711' })).toMatchObject({ identity: { commandId: POSITION } });
  });

  it('of a tombstone is its key, and means delete', () => {
    expect(read(null, { key: '4711' })).toMatchObject({
      identity: { lane: { kind: 'product', identity: '4711' }, command: 'delete', commandId: POSITION },
    });
    expect(read(null)).toMatchObject({ kind: 'dead-letter', code: 'IDENTITY_MISSING' });
  });

  it.each([
    ['NOT_JSON', '{"externalReference":'],
    ['NOT_JSON', '[]'],
    ['IDENTITY_MISSING', {}],
    ['IDENTITY_MISSING', { externalReference: 47.11 }],
    ['TENANT_UNKNOWN', { externalReference: '4711', tenant: 'outro' }],
  ])('that cannot be read is %s, a dead letter', (code, value) => {
    expect(read(value)).toMatchObject({ kind: 'dead-letter', code });
  });

  it('needs a tenant where there are several', () => {
    const tenants = ['acme', 'bairro'];
    expect(read({ externalReference: '4711' }, { tenants })).toMatchObject({ code: 'TENANT_UNKNOWN' });
    expect(read({ externalReference: '4711' }, { tenants, tenantHeader: 'bairro' })).toMatchObject({
      identity: { tenant: 'bairro' },
    });
  });

  it('has the load that it names, which makes it no other record (contract, Loads)', () => {
    const [first, second, none, long] = [{ loadId: 'l-1' }, { loadId: 'l-2' }, {}, { loadId: 'l'.repeat(201) }].map(
      (more) => read({ externalReference: '4711', name: 'x', ...more }),
    );
    expect(first).toMatchObject({ identity: { loadId: 'l-1' } });
    expect(none).toMatchObject({ identity: { loadId: null } });
    expect(long).toMatchObject({ identity: { loadId: null } });
    const hashes = [first, second, none].map((each) => each?.kind === 'command' && each.identity.contentHash);
    expect(new Set(hashes).size).toBe(1);
  });

  it('has one content hash whatever the white space and order of keys', () => {
    const hashes = ['{"externalReference":"4711","name":"x"}', ' { "name" : "x", "externalReference": "4711" }'].map(
      (text) => {
        const result = read(text);
        return result.kind === 'command' ? result.identity.contentHash : undefined;
      },
    );
    expect(hashes[0]).toBeDefined();
    expect(hashes[0]).toBe(hashes[1]);
  });
});
