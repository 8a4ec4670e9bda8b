import { describe, expect, it } from '@jest/globals';
import { postBatch, sendGroups } from './batches.ts';
import type { MutationAnswer } from '@gondola/platform-client/answers';
import { assert, asyncProperty, boolean, func, integer } from 'fast-check';

const sentBefore = (times: number, count: number, bytes = 1) =>
  Array.from({ length: count }, () => ({ bytes, progress: { attempts: Array<number>(times).fill(0) } }));
const groupsOf = (records: ReturnType<typeof sentBefore>) => sendGroups(records, ({ bytes }) => bytes);

describe('records that are posted together', () => {
  it('are all those that were never sent', () => {
    expect(groupsOf(sentBefore(0, 100)).map((group) => group.length)).toEqual([100]);
    expect(groupsOf([])).toEqual([]);
  });

  it('fit into one request as they are sent, and a record that is larger is posted alone', () => {
    const large = sentBefore(0, 7, 900_000);
    expect(groupsOf(large).map((group) => group.length)).toEqual([2, 2, 2, 1]);
    const mixed = [...sentBefore(0, 2), ...sentBefore(0, 1, 3_000_000), ...sentBefore(0, 2)];
    expect(groupsOf(mixed).map((group) => group.length)).toEqual([2, 1, 2]);
  });

  it('get fewer with each attempt that led to nothing, and stand alone in the end (guarantee 5)', () => {
    const groups = groupsOf([...sentBefore(1, 15), ...sentBefore(0, 3), ...sentBefore(2, 2)]);
    expect(groups.map((group) => group.length).toSorted((a, b) => b - a)).toEqual([10, 5, 3, 1, 1]);
  });
});

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ laneId: String(index), text: `${index}` }));
const accepted: MutationAnswer = { kind: 'accepted', operationId: 'op' };
const refused: MutationAnswer = { kind: 'refused', status: 400, message: 'no' };
const unavailable: MutationAnswer = { kind: 'unavailable', cause: 'credentials', retryAfterMs: 1_000 };

describe('a batch', () => {
  it('that is refused whole is halved until the culprits are alone, and each record is answered once (rule 25)', async () => {
    const cases = asyncProperty(integer({ min: 1, max: 40 }), func(boolean()), async (count, isBad) => {
      const entered: number[] = [];
      const answers = await postBatch(items(count), async (body) => {
        const batch = JSON.parse(body) as number[];
        if (batch.some((each) => isBad(each))) return refused;
        entered.push(...batch);
        return accepted;
      });
      for (let index = 0; index < count; index += 1) {
        expect(answers.get(String(index))?.kind).toBe(isBad(index) ? 'refused' : 'accepted');
      }
      expect(entered).toEqual(
        items(count)
          .map((_, index) => index)
          .filter((index) => !isBad(index)),
      );
    });
    await assert(cases, { numRuns: 50 });
  });

  it('is about its record if it has only one, else about none (guarantee 5)', async () => {
    const about: [string, string | undefined][] = [];
    await postBatch(items(3), async (body, alone) => {
      about.push([body, alone]);
      return body.includes('0') ? refused : accepted;
    });
    expect(about).toEqual([
      ['[0,1,2]', undefined],
      ['[0,1]', undefined],
      ['[0]', '0'],
      ['[1]', '1'],
      ['[2]', '2'],
    ]);
  });

  it('leaves the parts behind one that cannot be sent untried', async () => {
    const posted: string[] = [];
    const script = [refused, accepted, unavailable];
    const answers = await postBatch(items(8), async (body) => {
      posted.push(body);
      return script[posted.length - 1]!;
    });
    expect(posted).toEqual(['[0,1,2,3,4,5,6,7]', '[0,1,2,3]', '[4,5,6,7]']);
    expect([...answers.values()].map(({ kind }) => kind).slice(4)).toEqual(Array(4).fill('unavailable'));
  });
});
