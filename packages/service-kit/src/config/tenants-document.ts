import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument, visit } from 'yaml';
import type { Document } from 'yaml';
import { ConfigError } from './config.ts';
import type { ConfigProblem } from './config.ts';
import { codeOf } from '../logging/safe-error.ts';
import { yamlMistake } from './yaml-mistake.ts';

export const TENANTS_TITLE = 'Arquivo de lojas inválido / Invalid tenants file';

/** What every tenant repeats may stand once, behind an alias; what grows by repeating repetitions does not end. */
const MAX_ALIASES = 1_000;
/** What looks at the content climbs down by recursion, and aliases can nest deeper than the parser's own limit. */
const MAX_LEVELS = 100;

/**
 * The content of the tenants file (YAML or JSON), not yet checked against its schema; a tree, without circles.
 *
 * @throws ConfigError without a word of the file, with line and column where there are any
 */
export function readTenantsDocument(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw refused([`não é possível ler o arquivo / the file cannot be read (${codeOf(error) ?? 'error'})`]);
  }
  const content = contentOf(text);
  if (isDeeperThan(MAX_LEVELS, content))
    throw refused([`mais de ${MAX_LEVELS} níveis / more than ${MAX_LEVELS} levels`]);
  return content;
}

function contentOf(text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // The parser's texts quote the file; ours do not.
  const problems = document.errors.map(({ code, pos }) => `${lineOf(lines, pos[0])}: ${yamlMistake(code)}`);
  if (problems.length === 0) problems.push(...aliasProblems(document, lines));
  if (problems.length > 0) throw refused(problems);
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw refused([`mais de ${MAX_ALIASES} repetições por alias / more than ${MAX_ALIASES} repetitions by alias`]);
  }
}

/** An alias can only make a circle by standing inside of what it names. */
function aliasProblems(document: Document.Parsed, lines: LineCounter): string[] {
  const problems: string[] = [];
  visit(document, {
    Alias: (_key, alias, ancestors) => {
      const target = alias.resolve(document);
      const where = lineOf(lines, alias.range?.[0] ?? 0);
      if (target === undefined)
        problems.push(`${where}: alias sem âncora antes dele / alias without an anchor before it`);
      else if (ancestors.includes(target))
        problems.push(`${where}: alias dentro do que ele repete / alias inside of what it repeats`);
    },
  });
  return problems;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function lineOf(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `linha ${line}, coluna ${col} / line ${line}, column ${col}`;
}

function refused(problems: readonly string[]): ConfigError {
  return new ConfigError(
    problems.map((problem): ConfigProblem => ({ where: 'TENANTS_FILE', problem })),
    TENANTS_TITLE,
  );
}
