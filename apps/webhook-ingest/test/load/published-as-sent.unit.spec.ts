import { describe, expect, it } from '@jest/globals';
import { type Arbitrary, array, assert, boolean, constantFrom, nat, property, record } from 'fast-check';
import { repeatsIn, type SentNotification, type ToldRecord, violationsOf } from './published-as-sent.ts';

const TOPICS = ['orders', 'catalog'] as const;
const PARTITIONS = 3;

interface History {
  readonly sent: SentNotification[];
  readonly told: ToldRecord[];
}

/** Records of a correct system: all answered notifications in order, some unanswered ones, some repeats. */
const histories: Arbitrary<History> = array(
  record({
    series: nat(4),
    isAnswered: boolean(),
    isLate: boolean(),
    isRepeated: boolean(),
    topic: constantFrom(...TOPICS, null),
  }),
  { minLength: 1, maxLength: 60 },
).map((steps) => {
  const sent: SentNotification[] = [];
  const told: ToldRecord[] = [];
  const ends = new Map<string, number>();
  for (const [place, { series, isAnswered, isLate, isRepeated, topic }] of steps.entries()) {
    const notification = { operationId: `op-${place}`, hash: `hash-${place}`, topic, isAnswered, place };
    sent.push({ ...notification, series: series === 0 ? null : `${topic}/${series}` });
    if (topic === null || !(isAnswered || isLate)) continue;
    const partition = series % PARTITIONS;
    for (let times = isRepeated ? 2 : 1; times > 0; times -= 1) {
      const end = `${topic}/${partition}`;
      const offset = ends.get(end) ?? 0;
      ends.set(end, offset + 1);
      const { hash, operationId } = notification;
      told.push({ topic, partition, offset, key: `id-${place}`, id: `id-${place}`, operationId, hash });
    }
  }
  return { sent, told };
});

const one: SentNotification = {
  operationId: 'op',
  hash: 'hash-1',
  topic: 'orders',
  isAnswered: true,
  series: 'order/1',
  place: 1,
};
const two: SentNotification = { ...one, hash: 'hash-2', place: 2 };
const oneTold: ToldRecord = {
  topic: 'orders',
  partition: 0,
  offset: 0,
  key: 'id-1',
  id: 'id-1',
  operationId: 'op',
  hash: 'hash-1',
};
const twoTold: ToldRecord = { ...oneTold, offset: 1, key: 'id-2', id: 'id-2', hash: 'hash-2' };

function kindsOf(sent: readonly SentNotification[], told: readonly ToldRecord[]): string[] {
  return violationsOf(sent, told).map(({ kind }) => kind);
}

describe('the check of what was published', () => {
  it('is content with every history of a right system, repeats and late ones included', () => {
    assert(property(histories, ({ sent, told }) => expect(violationsOf(sent, told)).toEqual([])));
  });

  it('finds any record that is lost, doubled, altered, foreign or on another topic', () => {
    assert(
      property(histories, nat(), ({ sent, told }, at) => {
        const answered = told.filter(({ hash }) => sent.some((each) => each.hash === hash && each.isAnswered));
        const target = answered[at % answered.length];
        if (target === undefined) return;
        const { hash } = target;
        const others = told.filter((each) => each.hash !== hash);
        const beside = (more: Partial<ToldRecord>) => [...told, { ...target, offset: 1_000, ...more }];
        expect(kindsOf(sent, others)).toContain('lost');
        expect(kindsOf(sent, beside({ id: 'another', key: 'another' }))).toEqual(['doubled']);
        expect(kindsOf(sent, beside({ hash: 'bytes that nobody sent' }))).toContain('altered');
        expect(kindsOf(sent, beside({ key: null }))).toEqual(['altered']);
        expect(kindsOf(sent, beside({ hash: 'x', operationId: 'x', id: 'x', key: 'x' }))).toEqual(['foreign']);
        expect(kindsOf(sent, beside({ topic: 'users' }))).toEqual(['misplaced']);
      }),
    );
  });

  it('finds two of a series that changed places, or that are on two partitions', () => {
    expect(kindsOf([one, two], [oneTold, twoTold])).toEqual([]);
    expect(kindsOf([one, two], [{ ...oneTold, offset: 5 }, twoTold])).toEqual(['reordered']);
    expect(kindsOf([one, two], [{ ...oneTold, partition: 1 }, twoTold])).toEqual(['reordered']);
  });

  it('lets a repeat come later, and what was never answered 200 anywhere or nowhere', () => {
    const late = { ...oneTold, offset: 9 };
    expect(kindsOf([one, two], [oneTold, twoTold, late])).toEqual([]);
    expect(repeatsIn([oneTold, twoTold, late])).toBe(1);
    expect(kindsOf([{ ...one, isAnswered: false }, two], [late, twoTold])).toEqual([]);
    expect(kindsOf([{ ...one, isAnswered: false }, two], [twoTold])).toEqual([]);
  });

  it('finds records that must not be published', () => {
    expect(kindsOf([{ ...one, topic: null }], [])).toEqual([]);
    expect(kindsOf([{ ...one, topic: null }], [oneTold])).toEqual(['misplaced']);
  });
});
