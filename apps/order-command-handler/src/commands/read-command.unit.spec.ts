import { describe, expect, it } from '@jest/globals';
import { readCommand, readOrderCommandIdentity } from './read-command.ts';

const tenants = ['acme'];

const identity = (value: string | null, tenantHeader?: string, known = tenants) =>
  readOrderCommandIdentity(value === null ? null : Buffer.from(value), { tenantHeader, tenants: known });

const hashOf = (value: string): string => {
  const reading = identity(value);
  return reading.kind === 'command' ? reading.identity.contentHash : 'none';
};

const content = (record: object, language: 'pt-BR' | 'en' = 'pt-BR') =>
  readCommand(Buffer.from(JSON.stringify(record)), { language, units: {} });

const START = { commandId: 'c-1', command: 'StartPreparation', orderNumber: 100234 };

describe('the identity of a command', () => {
  it('is read from its value, its order number in one form', () => {
    expect(identity('{"commandId":"c","command":"StartPreparation","orderNumber":"00100234"}')).toMatchObject({
      kind: 'command',
      identity: {
        tenant: 'acme',
        commandId: 'c',
        command: 'StartPreparation',
        lane: { kind: 'order', identity: '100234' },
        queue: 'main',
        entity: { kind: 'order', orderNumber: 100234 },
      },
    });
  });

  it('counts as text where it is a JSON integer, and so does what a command names (contract, Values)', () => {
    expect(identity('{"commandId":12345678901234567890,"command":"Ship","orderNumber":1}')).toMatchObject({
      identity: { commandId: '12345678901234567890' },
    });
    expect(hashOf('{"commandId":7,"command":"Ship","orderNumber":1}')).toBe(
      hashOf('{"commandId":"7","command":"Ship","orderNumber":1}'),
    );
    expect(content({ ...START, command: 'WithdrawCommand', withdraws: 7 })).toMatchObject({
      kind: 'valid',
      asked: { withdraws: '7' },
    });
  });

  it('does not need an order number or a name: a result names their absence', () => {
    expect(identity('{"commandId":"c","command":7}')).toMatchObject({
      identity: { entity: null, command: '', lane: { identity: 'command/c' } },
    });
  });

  it('names its queue: a cancellation runs in parallel with the others (rule 19)', () => {
    expect(identity('{"commandId":"c","command":"CancelOrder","orderNumber":1}')).toMatchObject({
      identity: { lane: { identity: '1' }, queue: 'cancel' },
    });
  });

  it('is equal for equal content without requestedAt, and differs for other content (rule 19)', () => {
    const first = hashOf(
      '{"commandId":"c","command":"StartPreparation","orderNumber":1,"requestedAt":"2026-11-20T10:00:00Z"}',
    );
    expect(hashOf('{ "orderNumber":1, "command":"StartPreparation","commandId":"c" }')).toBe(first);
    expect(hashOf('{"commandId":"c","command":"StartPreparation","orderNumber":2}')).not.toBe(first);
  });

  it.each([
    ['NOT_JSON', null, undefined],
    ['NOT_JSON', 'x', undefined],
    ['NOT_JSON', '[]', undefined],
    ['IDENTITY_MISSING', '{"command":"StartPreparation"}', undefined],
    ['IDENTITY_MISSING', '{"commandId":7.5}', undefined],
    ['TENANT_UNKNOWN', '{"commandId":"c"}', 'other'],
    ['TENANT_UNKNOWN', '{"commandId":"c","tenant":"other"}', 'acme'],
  ])('is missing: %s', (code, value, header) => {
    expect(identity(value, header)).toMatchObject({ kind: 'dead-letter', code });
  });

  it('needs a tenant where there are several', () => {
    expect(identity('{"commandId":"c"}', undefined, ['a', 'b'])).toMatchObject({ code: 'TENANT_UNKNOWN' });
    expect(identity('{"commandId":"c","tenant":"b"}', undefined, ['a', 'b'])).toMatchObject({
      identity: { tenant: 'b' },
    });
  });
});

describe('the content of a command', () => {
  it('is the status that it sets', () => {
    expect(content(START)).toMatchObject({ kind: 'valid', definition: { target: 400 } });
    expect(content({ ...START, orderNumber: '100234', requestedBy: null, tenant: 'acme' })).toMatchObject({
      definition: { target: 400 },
    });
  });

  it('is invalid with an unknown key, naming the nearest one', () => {
    expect(content({ ...START, requestBy: 'x' })).toMatchObject({
      kind: 'invalid',
      reason: { code: 'FIELD_UNKNOWN', field: 'requestBy', hint: expect.stringContaining('requestedBy') },
      errors: [{ code: 'FIELD_UNKNOWN' }],
    });
  });

  it('is invalid without a field, or with one of another type', () => {
    const { orderNumber: _none, ...without } = START;
    expect(content(without)).toMatchObject({ reason: { code: 'FIELD_REQUIRED', field: 'orderNumber' } });
    expect(content({ ...START, orderNumber: true })).toMatchObject({ reason: { code: 'FIELD_TYPE' } });
  });

  it('suggests a known command for an unknown one', () => {
    expect(content({ ...START, command: 'StartPrep' }, 'en')).toMatchObject({
      reason: { code: 'COMMAND_UNKNOWN', hint: expect.stringContaining('StartPreparation') },
    });
  });
});
