import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { type ContractRecord, contractSchema, schemaName } from '@gondola/shared/contract/contract-record';
import type { JsonSchema } from '@gondola/shared/schemas/json-schema';
import { CONTRACT_RECORDS } from '@gondola/shared/contract/contract-records';
import { asyncApiText } from './asyncapi.ts';
import { eventExamples, type RecordedEvent } from './event-examples.ts';
import { reasonTable } from './reason-table.ts';

/** Folder of the files that are generated from the code. */
export const CONTRACT_FOLDER = new URL('../../docs/contract/', import.meta.url);

/** All generated files of `docs/contract` that git has, by their path in it. */
export function contractFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const record of CONTRACT_RECORDS) {
    for (const mode of schemaModes(record)) {
      files.set(schemaPath(schemaName(record, mode)), jsonText(contractSchema(record, { mode })));
    }
  }
  return files.set('reasons.md', reasonTable()).set('asyncapi.yaml', asyncApiText(contractVersion(), exampleOf));
}

/** The examples that git does not have, by their path in `docs/contract`. */
export function madeExamples(): ReadonlyMap<string, string> {
  const approval = exampleOf('order-event.v1') as unknown as RecordedEvent;
  return new Map([...eventExamples(approval)].map(([name, event]) => [`examples/${name}`, jsonText(event)]));
}

/** All examples, by their file names. */
export async function allExamples(): Promise<ReadonlyMap<string, string>> {
  const folder = new URL('examples/', CONTRACT_FOLDER);
  const read = (await readdir(folder)).map(
    async (file) => [file, await readFile(new URL(file, folder), 'utf8')] as const,
  );
  const made = [...madeExamples()].map(([path, text]) => [path.replace('examples/', ''), text] as const);
  return new Map([...(await Promise.all(read)), ...made]);
}

/** Version of this release. */
function contractVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The schemas of the last release, by their names, as `npm run release` stored them. */
export async function lastReleasedSchemas(): Promise<ReadonlyMap<string, JsonSchema>> {
  const text = await readFile(new URL('released.json', CONTRACT_FOLDER), 'utf8');
  return new Map(Object.entries(JSON.parse(text) as Record<string, JsonSchema>));
}

/** The schemas of a folder, by their names. */
export async function schemasIn(folder: URL): Promise<ReadonlyMap<string, JsonSchema>> {
  const files = await readdir(folder);
  const read = files.map(async (file): Promise<[string, JsonSchema]> => {
    const schema = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as JsonSchema;
    return [file.replace('.schema.json', ''), schema];
  });
  return new Map(await Promise.all(read));
}

/** Path of a schema in the folder. */
function schemaPath(name: string): string {
  return `schemas/${name}.schema.json`;
}

/** The committed example of a schema; null without one. */
function exampleOf(name: string): JsonSchema | null {
  const file = new URL(`examples/${name}.json`, CONTRACT_FOLDER);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JsonSchema) : null;
}

function schemaModes({ hasCreateSchema }: ContractRecord): readonly ('update' | 'create')[] {
  return hasCreateSchema === true ? ['update', 'create'] : ['update'];
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
