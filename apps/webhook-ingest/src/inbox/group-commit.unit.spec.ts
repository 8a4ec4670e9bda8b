import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';

interface UnderWay {
  readonly items: readonly string[];
  readonly answer: PromiseWithResolvers<readonly string[]>;
}

/** A store whose commits finish when the test decides. */
function gated(options: Partial<GroupCommitOptions<string, string>> = {}) {
  const groups: UnderWay[] = [];
  let begun = Promise.withResolvers<void>();
  const commits = new GroupCommit<string, string>({
    commit: async (items) => {
      const answer = Promise.withResolvers<readonly string[]>();
      groups.push({ items, answer });
      begun.resolve();
      begun = Promise.withResolvers();
      return answer.promise;
    },
    bytesOf: ({ length }) => length,
    maxItems: 10,
    maxBytes: 1_000,
    budgetMs: 60_000,
    ...options,
  });
  const group = async (index: number): Promise<UnderWay> => {
    while (groups.length <= index) await begun.promise;
    return groups[index]!;
  };
  const commit = async (index: number): Promise<void> => {
    const { items, answer } = await group(index);
    answer.resolve(items.map((item) => `${item} kept`));
  };
  return { commits, groups, group, commit };
}

const keyOf = (item: string): string => item[0]!;

describe('a group commit', () => {
  it('stores together what came while a group was under way, in its order, and answers each after the commit', async () => {
    const { commits, group, commit, groups } = gated();
    const answers: string[] = [];
    const add = (item: string) => commits.add(item).then((answer) => answers.push(answer));
    const first = add('a');
    expect((await group(0)).items).toEqual(['a']);
    const others = ['b', 'c', 'd'].map(add);
    expect(commits.isIdle).toBe(false);
    await commit(0);
    await first;
    expect(answers).toEqual(['a kept']);
    await commit(1);
    await Promise.all(others);
    expect(groups.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd']]);
    expect(answers).toEqual(['a kept', 'b kept', 'c kept', 'd kept']);
    expect(commits.isIdle).toBe(true);
  });

  it('bounds a group by items and by bytes, and takes one that alone is over it', async () => {
    const { commits, commit, groups } = gated({ maxItems: 2, maxBytes: 5 });
    const added = Promise.all(['aa', 'b', 'c', 'ddd', 'eee', 'ffffffff', 'g'].map((item) => commits.add(item)));
    for (let index = 0; index < 5; index += 1) await commit(index);
    await added;
    expect(groups.map(({ items }) => items)).toEqual([['aa', 'b'], ['c', 'ddd'], ['eee'], ['ffffffff'], ['g']]);
  });

  it('has two groups under way where it knows what items are about', async () => {
    const { commits, group, commit } = gated({ keyOf, maxItems: 1 });
    const added = Promise.all(['a', 'b', 'c'].map((item) => commits.add(item)));
    await group(1);
    await commit(1);
    expect((await group(2)).items).toEqual(['c']);
    await commit(0);
    await commit(2);
    expect(await added).toEqual(['a kept', 'b kept', 'c kept']);
  });

  it('leaves a third of what has no answer to be prepared while two groups are stored', async () => {
    const { commits, group, commit, groups } = gated({ keyOf: (item) => item, maxItems: 500, maxBytes: 10_000 });
    const names = Array.from({ length: 90 }, (_, index) => `${index}`);
    const added = Promise.all(names.map((item) => commits.add(item)));
    await group(1);
    expect(groups.map(({ items }) => items.length)).toEqual([30, 30]);
    await commit(0);
    expect((await group(2)).items.length).toBe(20);
    await commit(1);
    expect((await group(3)).items.length).toBe(10);
    await commit(2);
    await commit(3);
    expect(await added).toHaveLength(90);
    expect(groups.flatMap(({ items }) => items)).toEqual(names);
  });

  it('never divides what makes only a small group', async () => {
    const { commits, group, commit, groups } = gated({ keyOf: (item) => item, maxItems: 500, maxBytes: 10_000 });
    const added = Promise.all(Array.from({ length: 20 }, async (_, index) => commits.add(`${index}`)));
    await group(1);
    expect(groups.map(({ items }) => items.length)).toEqual([16, 4]);
    await commit(0);
    await commit(1);
    await added;
  });

  it('never has two groups under way about the same, and nothing passes what came before it about the same', async () => {
    const { commits, group, commit, groups } = gated({ keyOf, maxItems: 2 });
    const added = Promise.all(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'c1'].map((item) => commits.add(item)));
    await group(1);
    expect(groups.map(({ items }) => items)).toEqual([
      ['a1', 'a2'],
      ['b1', 'b2'],
    ]);
    await commit(1);
    expect((await group(2)).items).toEqual(['c1']);
    await commit(2);
    await commit(0);
    await commit(3);
    await added;
    expect(groups[3]?.items).toEqual(['a3', 'a4']);
  });

  it('preserves the order of items with one key, for any input and any end of commits', async () => {
    const item = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 30 }), fc.infiniteStream(fc.nat()), async (steps, choices) => {
        const { commits, groups } = gated({ keyOf, maxItems: 3 });
        const added: Promise<string>[] = [];
        const open = (): UnderWay[] => groups.filter((each) => !ended.has(each));
        const ended = new Set<UnderWay>();
        const endOne = async (): Promise<void> => {
          await setImmediate();
          const underWay = open();
          const keys = underWay.map(({ items }) => new Set(items.map(keyOf)));
          expect(keys.reduce((sum, each) => sum + each.size, 0)).toBe(new Set(keys.flatMap((each) => [...each])).size);
          const one = underWay[choices.next().value! % Math.max(underWay.length, 1)];
          if (one === undefined) return;
          ended.add(one);
          one.answer.resolve(one.items);
        };
        for (const [index, [key, endsOne]] of steps.entries()) {
          added.push(commits.add(`${key}${index}`));
          if (endsOne) await endOne();
        }
        while (!commits.isIdle) await endOne();
        await Promise.all(added);
        for (const key of ['a', 'b', 'c']) {
          const begun = groups.flatMap(({ items }) => items.filter((each) => keyOf(each) === key));
          expect(begun).toEqual(steps.flatMap(([of], index) => (of === key ? [`${key}${index}`] : [])));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('rejects the items of a failed group, and continues with the next', async () => {
    const { commits, group, commit } = gated();
    const failed = Promise.allSettled([commits.add('a'), commits.add('b')]);
    (await group(0)).answer.reject(new Error('away'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = commits.add('c');
    await commit(1);
    expect(await next).toBe('c kept');
  });

  it('aborts all unanswered items when the oldest waits longer than the budget, and starts again', async () => {
    const { commits, group, commit } = gated({ budgetMs: 20, maxItems: 1 });
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const late = Promise.allSettled([commits.add('a'), commits.add('b')]);
    await group(0);
    await jest.advanceTimersByTimeAsync(20);
    jest.useRealTimers();
    expect(await late).toMatchObject([{ reason: { code: 'OUT_OF_TIME' } }, { reason: { code: 'OUT_OF_TIME' } }]);
    expect(commits.isIdle).toBe(true);
    const next = gated();
    const answered = next.commits.add('c');
    await next.commit(0);
    expect(await answered).toBe('c kept');
    // A late commit changes nothing.
    await commit(0);
    expect((await group(0)).items).toEqual(['a']);
  });

  it('aborts waiting and running items on request', async () => {
    const { commits, group } = gated({ maxItems: 1 });
    const added = Promise.allSettled([commits.add('a'), commits.add('b')]);
    await group(0);
    commits.giveUp(new Error('elsewhere'));
    expect((await added).map((each) => each.status)).toEqual(['rejected', 'rejected']);
    expect(commits.isIdle).toBe(true);
  });
});
