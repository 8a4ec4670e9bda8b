import { entriesOf, type Entry } from '../operations-api/operations-api.ts';
import { tableOf } from '../output/blocks.ts';
import { type Block, line } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import type { FileRecord } from '@gondola/shared/records/csv';
import { fieldsIn, referenceIn } from './pages.ts';

/** An error stops the record, a warning does not, a wait ends once the reference is known. */
type ProblemLevel = 'error' | 'warning' | 'waits';

interface ProblemExample {
  readonly line: number;
  readonly externalReference: string | null;
  readonly skuExternalReference?: string;
  readonly hint?: string;
}

/** Problems of one kind, across all records of a file. */
interface ProblemGroup {
  readonly level: ProblemLevel;
  readonly code: string;
  readonly field: string;
  readonly message: string;
  /** Number of records with this problem. */
  readonly records: number;
  /** The first of these records. */
  readonly examples: readonly ProblemExample[];
}

export interface CheckedFile {
  readonly checked: number;
  /** Number of records by predicted outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Errors first, then by frequency. */
  readonly groups: readonly ProblemGroup[];
}

const MAX_EXAMPLES = 3;
const LEVELS: readonly ProblemLevel[] = ['error', 'waits', 'warning'];

/** Groups the app's findings in the records of a file by reason and field. */
export function groupProblems(records: readonly FileRecord[], checked: readonly Entry[]): CheckedFile {
  const outcomes: Record<string, number> = {};
  const groups = new Map<string, ProblemGroup & { readonly lines: Set<number> }>();
  for (const [index, entry] of checked.entries()) {
    const outcome = String(entry['outcome']);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const record = records[index] ?? { line: 0, text: '' };
    for (const problem of problemsOf(entry)) addTo(groups, record, problem);
  }
  const found = [...groups.values()].map(({ lines, ...group }) => ({ ...group, records: lines.size }));
  const order = (group: ProblemGroup): number => LEVELS.indexOf(group.level);
  return {
    checked: checked.length,
    outcomes,
    groups: found.toSorted((one, other) => order(one) - order(other) || other.records - one.records),
  };
}

/** Formats the findings in a file for a person: one row for each kind of problem. */
export function fileBlocks({ checked, outcomes, groups }: CheckedFile, say: Say): Block[] {
  const { valid = 0, unchanged = 0, repeated = 0, invalid = 0, unreadable = 0 } = outcomes;
  const summary = say('preflightSummary', { checked, valid, unchanged, repeated, invalid, unreadable });
  if (groups.length === 0) return [line(summary)];
  const rows = groups.map((group) => ({
    ...group,
    level: levelText(group, say),
    examples: group.examples.map(exampleText).join(', '),
    message: group.message === '' ? say('preflightWaits') : group.message,
  }));
  const columns = {
    level: { pt: 'TIPO', en: 'LEVEL' },
    code: 'colReason',
    field: 'colField',
    records: 'colRecords',
    examples: { pt: 'EXEMPLOS', en: 'EXAMPLES' },
    message: 'colDetail',
  } as const;
  return [line(summary), tableOf(say, columns, rows, 'message')];
}

function levelText({ level }: ProblemGroup, say: Say): string {
  if (level === 'error') return say({ pt: 'erro', en: 'error' });
  return level === 'warning' ? say({ pt: 'aviso', en: 'warning' }) : say({ pt: 'espera', en: 'wait' });
}

function exampleText({ line, externalReference, skuExternalReference }: ProblemExample): string {
  const reference = skuExternalReference ?? externalReference;
  return reference === null ? `:${line}` : `${reference} (:${line})`;
}

interface Problem {
  readonly level: ProblemLevel;
  readonly code: string;
  readonly field: string;
  readonly message: string;
  readonly skuExternalReference: unknown;
  readonly hint: unknown;
}

function problemsOf(entry: Entry): Problem[] {
  const of = (member: string, level: ProblemLevel): Problem[] =>
    entriesOf(entry[member]).map((each) => ({
      level,
      code: textOf(each['code']),
      // All positions of a list count as one field.
      field: textOf(each['field']).replaceAll(/\[\d+\]/g, '[]'),
      message: textOf(each['message']),
      skuExternalReference: each['skuExternalReference'],
      hint: each['hint'],
    }));
  const waits = entriesOf(entry['waitsFor']).map((each): Problem => {
    const kind = textOf(each['kind']);
    return {
      level: 'waits',
      code: 'WAITS',
      field: kind,
      message: '',
      skuExternalReference: undefined,
      hint: each['externalReference'],
    };
  });
  return [...of('errors', 'error'), ...of('warnings', 'warning'), ...waits];
}

function addTo(
  groups: Map<string, ProblemGroup & { readonly lines: Set<number> }>,
  { line, text }: FileRecord,
  { level, code, field, message, skuExternalReference: sku, hint }: Problem,
): void {
  // Each unknown unit is one to configure.
  const key = [level, code, field, code === 'UNIT_UNKNOWN' ? message : ''].join('\n');
  const group = groups.get(key) ?? { level, code, field, message, records: 0, examples: [], lines: new Set<number>() };
  const example = {
    line,
    externalReference: referenceIn(fieldsIn(text)),
    ...(typeof sku === 'string' && { skuExternalReference: sku }),
    ...(typeof hint === 'string' && { hint }),
  };
  const isNew = !group.lines.has(line) && group.examples.length < MAX_EXAMPLES;
  groups.set(key, {
    ...group,
    examples: isNew ? [...group.examples, example] : group.examples,
    lines: group.lines.add(line),
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
