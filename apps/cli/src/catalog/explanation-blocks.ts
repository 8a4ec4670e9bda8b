import { type Entry, isEntry } from '../operations-api/operations-api.ts';
import { tableOf } from '../output/blocks.ts';
import type { Block } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/** Why a product is not in the shop, for people: the first thing that is missing, and all that was looked at. */
export function explanationBlocks(explanation: Entry, say: Say): Block[] {
  const { summary, steps } = explanation;
  const rows = Array.isArray(steps) ? steps.filter(isEntry) : [];
  const columns = [
    [say('colStep'), 'step'],
    [say('colState'), 'state'],
    [say('colWho'), 'who'],
    [say('colDetail'), 'text'],
  ] as const;
  return [{ kind: 'line', text: typeof summary === 'string' ? summary : '' }, tableOf(rows, columns, 'text')];
}
