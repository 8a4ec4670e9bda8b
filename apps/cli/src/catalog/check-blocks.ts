import { tableOf } from '../output/blocks.ts';
import type { Block } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import type { CheckedFile, ProblemExample, ProblemGroup } from './group-problems.ts';

/** Formats the findings in a file for a person: one row for each kind of problem. */
export function fileBlocks({ checked, outcomes, groups }: CheckedFile, say: Say): Block[] {
  const { valid = 0, unchanged = 0, invalid = 0, unreadable = 0 } = outcomes;
  const summary = say('preflightSummary', { checked, valid, unchanged, invalid, unreadable });
  const line: Block = { kind: 'line', text: summary };
  if (groups.length === 0) return [line];
  const rows = groups.map((group) => ({
    level: levelText(group, say),
    code: group.code,
    field: group.field,
    records: group.records,
    examples: group.examples.map(exampleText).join(', '),
    message: group.message === '' ? say('preflightWaits') : group.message,
  }));
  const columns = [
    [say('colLevel'), 'level'],
    [say('colReason'), 'code'],
    [say('colField'), 'field'],
    [say('colRecords'), 'records'],
    [say('colExamples'), 'examples'],
    [say('colDetail'), 'message'],
  ] as const;
  return [line, tableOf(rows, columns, 'message')];
}

function levelText({ level }: ProblemGroup, say: Say): string {
  if (level === 'error') return say('levelError');
  return level === 'warning' ? say('levelWarning') : say('levelWaits');
}

function exampleText({ line, externalReference, skuExternalReference }: ProblemExample): string {
  const reference = skuExternalReference ?? externalReference;
  return reference === null ? `:${line}` : `${reference} (:${line})`;
}
