import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DEFAULT_WIRE_PROFILE, patchStatusBody, type WireProfile, wireProfileSchema } from './wire-profile.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/wire-profile.md', import.meta.url), 'utf8');

describe('the wire profile', () => {
  it('has the documented defaults', () => {
    expect(wireProfileSchema.parse({})).toEqual({
      patchStatusBody: { status: '<NAME>' },
      orderStatusPaths: ['status', 'code', 'data.status'],
      webhookPayloadPath: '/v1/Orders/{orderNumber}/webhook-payload?version=2',
    });
  });

  it('takes one override and keeps the other defaults', () => {
    const profile = wireProfileSchema.parse({ patchStatusBody: '<NAME>' });
    expect(profile).toEqual({ ...DEFAULT_WIRE_PROFILE, patchStatusBody: '<NAME>' });
  });

  it.each<[string, object]>([
    ['an unknown key', { patchStatus: {} }],
    ['a status body that does not name the status', { patchStatusBody: { status: 'NAME' } }],
    ['a placeholder that is only a key', { patchStatusBody: { '<NAME>': 1 } }],
    ['a path of fields with an empty name', { orderStatusPaths: ['data..status'] }],
    ['a payload path without the order', { webhookPayloadPath: '/v1/payload' }],
    ['a payload path that names another host', { webhookPayloadPath: '//example.com/{orderNumber}' }],
    ['an address instead of a path', { webhookPayloadPath: 'https://example.com/{orderNumber}' }],
    ['a path that would break the request line', { webhookPayloadPath: '/v1/{orderNumber} HTTP/1.1\r\nx: y' }],
  ])('refuses %s', (_, overrides) => {
    expect(wireProfileSchema.safeParse(overrides).success).toBe(false);
  });

  it.each([
    [{ status: '<NAME>' }, '{"status":"SHIPPED"}'],
    ['<NAME>', '"SHIPPED"'],
    [{ a: [{ b: '<NAME>/<NAME>' }, null, 1.5] }, '{"a":[{"b":"SHIPPED/SHIPPED"},null,1.5]}'],
  ])('sets a status with the body %j', (template, body) => {
    expect(patchStatusBody(wireProfileSchema.parse({ patchStatusBody: template }), 'SHIPPED')).toBe(body);
  });

  it('the status body is JSON that holds the name, whatever the name', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(JSON.parse(patchStatusBody(DEFAULT_WIRE_PROFILE, name))).toEqual({ status: name });
      }),
    );
  });
});

describe('docs/wire-profile.md', () => {
  it('holds exactly the keys of the schema, with their defaults and meanings', () => {
    const rows = DOCUMENT.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toEqual(
      Object.entries(wireProfileSchema.shape).map(([key, schema]) => {
        const byDefault = JSON.stringify(DEFAULT_WIRE_PROFILE[key as keyof WireProfile]);
        return `| \`${key}\` | \`${byDefault}\` | ${schema.description} |`;
      }),
    );
  });
});
