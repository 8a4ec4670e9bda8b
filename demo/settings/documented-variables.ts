import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../play/gondola.ts';

/** Names in the table of variables of docs/running.md. */
export function documentedVariables(): string[] {
  const text = readFileSync(join(ROOT, 'docs/running.md'), 'utf8');
  const [, configuration = ''] = text.split('\n## Configuration\n');
  const rows = configuration
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name!));
}
