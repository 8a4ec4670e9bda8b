import { readFile } from 'node:fs/promises';
import { CONTRACT_RECORDS } from '@gondola/shared/contract/contract-records';
import type { JsonSchema } from '@gondola/shared/schemas/json-schema';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { CONTRACT_FOLDER, schemasIn } from './contract-files.ts';
import { foreignParts } from './testing/portable-schemas.ts';

interface AsyncApi {
  readonly channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, Message>> }>>;
}

interface Message {
  readonly headers: JsonSchema;
  readonly payload?: JsonSchema;
}

/** The schemas of records, and those of headers and payloads in the AsyncAPI document. */
async function publishedSchemas(): Promise<Map<string, JsonSchema>> {
  const published = new Map(await schemasIn(new URL('schemas/', CONTRACT_FOLDER)));
  const { channels } = parse(await readFile(new URL('asyncapi.yaml', CONTRACT_FOLDER), 'utf8')) as AsyncApi;
  for (const [topic, { messages }] of Object.entries(channels)) {
    for (const [name, { headers, payload }] of Object.entries(messages)) {
      published.set(`${topic} ${name} headers`, headers);
      if (payload !== undefined) published.set(`${topic} ${name}`, payload);
    }
  }
  return published;
}

describe('the published schemas', () => {
  it('have nothing that generators and validators of other languages cannot read', async () => {
    const published = await publishedSchemas();
    const found = [...published].flatMap(([name, schema]) => foreignParts(schema).map((part) => `${name} ${part}`));
    expect(found).toEqual([]);
    expect(published.size).toBeGreaterThan(2 * CONTRACT_RECORDS.length);
  });
});

describe('a schema that other languages cannot read', () => {
  it.each<[string, JsonSchema]>([
    ['a pattern that other engines lack', { type: 'string', pattern: '^(?!0$)[0-9]+$' }],
    ['a pattern that other engines lack', { type: 'string', pattern: '^(?<=a)b$' }],
    ['a pattern that other engines lack', { type: 'string', pattern: String.raw`^(a)\1$` }],
    ['a pattern that other engines lack', { type: 'string', pattern: String.raw`^[\s\S]+$` }],
    ['a keyword of our own', { type: 'string', enum: ['A'], 'x-open': true }],
    ['a schema that only forbids', { allOf: [{ properties: { url: { not: { type: 'null' } } } }] }],
    ['alternatives that cannot be told apart', { anyOf: [{ type: 'string', enum: ['Kg'] }, { type: 'string' }] }],
    ['alternatives that cannot be told apart', { oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] }],
    ['words without a type', { type: 'object', properties: { unit: { enum: ['Kg'] } } }],
    ['a definition without its name', { $defs: { A: { type: 'object' } } }],
    ['a long integer', { type: 'object', properties: { revision: { type: ['integer', 'null'] } } }],
    ['a time without its pattern', { type: 'array', items: { type: 'string', format: 'date-time' } }],
  ])('is found: %s (%#)', (fault, schema) => {
    expect(foreignParts(schema)).toEqual([expect.stringContaining(fault)]);
  });
});
