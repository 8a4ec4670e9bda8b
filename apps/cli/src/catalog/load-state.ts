import { fieldsOf, tableOf } from '../output/blocks.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/** State of a load, reduced to the fields that the command line shows. */
export interface LoadState {
  readonly loadId: string;
  /** Number of records of the file that the app has received. */
  readonly taken: number;
  readonly total: number;
  readonly open: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Outcomes of records that a person has to check. */
const TROUBLE = ['refused', 'invalid', 'unconfirmed', 'unreadable'] as const;
const MOST_UNREADABLE = 20;

/** Null: the answer is not the state of a load. */
export function loadState(body: Entry): LoadState | null {
  const { loadId, taken, total, open, counts } = body;
  if (typeof loadId !== 'string' || typeof counts !== 'object' || counts === null) return null;
  if (![taken, total, open].every(Number.isInteger)) return null;
  const states = Object.entries(counts).filter((pair): pair is [string, number] => typeof pair[1] === 'number');
  return { loadId, taken: Number(taken), total: Number(total), open: Number(open), counts: Object.fromEntries(states) };
}

/** True if every record is concluded and the shop has the requested values. */
function isGood({ counts, open }: LoadState): boolean {
  return open === 0 && TROUBLE.every((state) => (counts[state] ?? 0) === 0);
}

/** Formats a load for a person: a line for each state with records, and the latest records that failed. */
export function loadReport(body: Entry, state: LoadState, say: Say, more: Partial<Report> = {}): Report {
  const { loadId, source, total, open, startedAt, finishedAt, perMinute, estimatedEndAt, notApplied } = body;
  const load = { loadId, source, total, open, startedAt, finishedAt, perMinute, estimatedEndAt };
  const states = Object.fromEntries(Object.entries(state.counts).filter(([, count]) => count > 0));
  const failed = Array.isArray(notApplied) ? (notApplied as Entry[]) : [];
  const blocks: Block[] = [
    fieldsOf({ ...load, ...states }),
    ...(failed.length === 0 ? [] : [failedTable(failed, say)]),
    ...(more.blocks ?? []),
  ];
  const repeated = state.counts['repeated'] ?? 0;
  const notes = [...(more.notes ?? []), ...(repeated > 0 ? [say('loadRepeated', { count: repeated })] : [])];
  return { json: more.json ?? body, blocks, notes, exit: isGood(state) ? EXIT.done : EXIT.failed };
}

/** Lists unreadable records of a file by line. */
export function unreadableBlocks(
  lines: readonly { readonly line: number; readonly code: string }[],
  say: Say,
): Block[] {
  if (lines.length === 0) return [];
  const rows = lines.slice(0, MOST_UNREADABLE).map(({ line, code }) => ({ line, code }));
  return [tableOf(say, { line: 'colLine', code: 'colReason' }, rows)];
}

function failedTable(failed: readonly Entry[], say: Say): Block {
  const columns = {
    kind: 'colKind',
    identity: 'colReference',
    outcome: 'colOutcome',
    commandId: 'colCommand',
  } as const;
  return tableOf(say, columns, failed, 'commandId');
}
