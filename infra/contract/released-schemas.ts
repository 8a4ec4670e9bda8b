import { readdir, readFile } from 'node:fs/promises';
import type { JsonSchema } from '@gondola/shared/schemas/json-schema';
import { CONTRACT_FOLDER } from './contract-files.ts';

/** The schemas of each release, in a folder by its version. */
export const RELEASED_FOLDER = new URL('released/', CONTRACT_FOLDER);

/** The schemas of the last release, by their names. */
export async function lastReleasedSchemas(): Promise<ReadonlyMap<string, JsonSchema>> {
  const versions = await readdir(RELEASED_FOLDER);
  const last = versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1);
  if (last === undefined) throw new Error('No release has schemas');
  return schemasIn(new URL(`${last}/`, RELEASED_FOLDER));
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
