/**
 * `npm run depcheck`: no two folders of a workspace import each other both ways. A folder is a room with a front door:
 * it knows what lies below it, never its callers.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Files that compose folders from above, or only test them, belong to no side; a module in a folder stands with it. */
const BESIDE = /\/src\/[^/]+\.module\.ts$|(\.migration|\.schema|\.spec|\.d|\/main)\.ts$|\/testing\//;
const IMPORT = /^(?:import|export)[^;]*?from '(\.[^']+)'/gms;

/** Texts of files by their paths from the root, to one sentence for each pair of folders. */
export function foldersBothWays(files: ReadonlyMap<string, string>): string[] {
  const importers = new Map<string, string>();
  for (const [file, text] of files) {
    const from = roomOf(file);
    for (const [, target] of from === null ? [] : text.matchAll(IMPORT)) {
      const to = roomOf(path.join(path.dirname(file), target!));
      if (to !== null && to !== from) importers.set(`${from} ${to}`, file);
    }
  }
  return [...importers].flatMap(([edge, file]) => {
    const [from, to] = edge.split(' ') as [string, string];
    const back = importers.get(`${to} ${from}`);
    return from < to && back !== undefined ? [`${from} and ${to} import each other: ${file}, ${back}`] : [];
  });
}

/** The folder directly below a workspace's `src`; `src` itself for a file that lies there. */
function roomOf(file: string): string | null {
  const [, src, folder] = /^((?:apps|packages)\/[^/]+\/src)\/(?:([^/]+)\/)?/.exec(file) ?? [];
  if (src === undefined || BESIDE.test(file)) return null;
  return folder === undefined ? src : `${src}/${folder}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = globSync('{apps,packages}/*/src/**/*.ts');
  const problems = foldersBothWays(new Map(found.map((file) => [file, readFileSync(file, 'utf8')])));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
