import { describe, expect, it } from '@jest/globals';
import { attemptOf, iso, SENT_AT_MS } from '../../test/support/uploads.ts';
import { type RemovalProgress, type RemovedFiles, removalProgressFromText, withFiles } from './removal-progress.ts';

const NOW = { at: iso(SENT_AT_MS), afterRefusal: false, afterDeadline: false };

/** Result of two readings before and two after the attempt. */
function seen(before: readonly string[] | null, after: readonly string[] | null, removed: RemovedFiles) {
  const read = (progress: RemovalProgress, list: readonly string[] | null) => withFiles(progress, list, removed, NOW);
  const looked = read(read(removalProgressFromText(null), before), before);
  const sent = { ...looked, attempts: [attemptOf({ kind: 'accepted', operationId: null })] };
  return [looked.reading?.seen, read(read(sent, after), after).reading?.seen];
}

describe('a removal', () => {
  it.each<[string, readonly string[], readonly string[], RemovedFiles, [string, string]]>([
    ['nothing went', ['a', 'b'], ['a', 'b'], { urls: ['a'], others: 0 }, ['none', 'none']],
    ['what is named went', ['a', 'b'], ['b'], { urls: ['a'], others: 0 }, ['none', 'all']],
    ['of two, one was gone before, and nothing went', ['b'], ['b'], { urls: ['a', 'b'], others: 0 }, ['none', 'none']],
    ['a part of it went', ['a', 'b'], ['b'], { urls: ['a', 'b'], others: 0 }, ['none', 'some']],
    ['what is named was gone before', ['b'], ['b'], { urls: ['a'], others: 0 }, ['all', 'all']],
    ['of two, one was gone before', ['b'], [], { urls: ['a', 'b'], others: 0 }, ['none', 'all']],
    ['an id may be any file', ['a', 'b'], ['a', 'b'], { urls: [], others: 1 }, ['none', 'unclear']],
    ['as many went as there are ids', ['a', 'b'], ['b'], { urls: [], others: 1 }, ['none', 'all']],
    ['an address went, an id did not', ['a', 'b'], ['b'], { urls: ['a'], others: 1 }, ['none', 'unclear']],
  ])('is seen in the file list: %s (rule 35)', (_what, before, after, removed, expected) => {
    expect(seen(before, after, removed)).toEqual(expected);
  });

  it('counts once two readings in a row show it: one may be behind, or an empty answer (rule 16)', () => {
    const removed = { urls: ['a'], others: 0 };
    let progress = removalProgressFromText(null);
    const shown = [[], ['a'], ['b'], ['b']].map((list) => {
      progress = withFiles(progress, list, removed, NOW);
      return progress.reading?.seen;
    });
    expect(shown).toEqual(['doubtful', 'none', 'doubtful', 'all']);
  });

  it('of all files of an entity is visible nowhere (rule 35)', () => {
    expect(seen(null, null, { urls: [], others: 0 })).toEqual(['none', 'unclear']);
  });
});
