import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, run } from '../../src/run.ts';
import { casesOf } from './junit-cases.ts';

export interface Seen {
  readonly exit: number;
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  readonly held: number;
  readonly notAsked: number;
}

interface Document {
  readonly held: number;
  readonly statements: readonly { readonly section: string; readonly statement: string; readonly kind: string }[];
  readonly notAsked: readonly string[];
}

export function gondola(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return run({ args: ['conformance', ...args], env: { LANG: 'en_US.UTF-8', ...env }, folder: '/', width: null });
}

/** Runs with `--json` and `--junit`, whose reports must say the same. */
export async function conformance(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-conformance-'));
  const junit = join(folder, 'report.xml');
  const { stdout, stderr, exit } = await gondola([...args, '--confirm', '--json', '--junit', junit], env);
  assert.equal(stderr, '');
  const { held, statements, notAsked } = JSON.parse(stdout) as Document;
  const names = (...kinds: readonly string[]) =>
    statements.flatMap(({ section, statement, kind }) => (kinds.includes(kind) ? [`${section}: ${statement}`] : []));
  const cases = casesOf(await readFile(junit, 'utf8'));
  await rm(folder, { recursive: true });
  const inXml = (kind: string) => cases.flatMap((each) => (each.kind === kind ? [each.name] : []));
  const seen = { exit, failed: names('failed'), skipped: names('skipped'), held, notAsked: notAsked.length };
  assert.deepEqual([inXml('ok').length, inXml('failure'), inXml('skipped')], [held, seen.failed, seen.skipped]);
  return seen;
}
