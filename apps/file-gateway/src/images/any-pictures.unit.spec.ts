import { sized } from '@gondola/local-stack/testing/sized';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import { publishing, SimulatedFiles } from '../../test/support/simulated-files.ts';
import type { Course, Fate, Picture, ReadFate, ShownPicture } from '../../test/support/simulated-platform.ts';
import type { FileWork } from '../commands/file-command.ts';

const CALL_FATES: readonly Fate[] = [
  'seen',
  'later',
  'silence',
  'refusal',
  '400',
  '429',
  'lost answer, applied',
  'time-out',
  'lost answer, applied after the end',
  'process ended, applied',
  'process ended, not applied',
];
const READ_FATES: readonly ReadFate[] = ['shown', '3 s behind', 'empty', '500'];

const NO_TROUBLE: Course = { calls: ['seen'] };
/** All further calls are seen, and all further readings show what is there. */
const anyCourse: fc.Arbitrary<Course> = fc.record({
  calls: fc.array(fc.constantFrom(...CALL_FATES), { maxLength: 3 }).map((fates) => [...fates, 'seen']),
  reads: fc.array(fc.constantFrom(...READ_FATES), { maxLength: 6 }).map((fates) => [...fates, 'shown']),
});

/** Distinct positions from 1 to 4, each with one of five contents. */
const anySet: fc.Arbitrary<Picture[]> = fc
  .tuple(fc.subarray([1, 2, 3, 4], { minLength: 1 }), fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 4 }))
  .map(([orders, contents]) => orders.map((order, index) => ({ order, content: contents[index]! })));

const anyDid = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('publish' as const), set: anySet, replace: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('publish again' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('remove' as const), places: fc.subarray([0, 1, 2]) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('undo' as const), publish: fc.nat(4) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('add by hand' as const), order: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('remove by hand' as const), place: fc.nat(3) }) },
);

const anyStep = fc.record({
  did: anyDid,
  course: fc.oneof(fc.constant(NO_TROUBLE), anyCourse),
  pauseMs: fc.constantFrom(0, 60_000),
});
const anyLife = fc.record({
  perRequest: fc.constantFrom(2, 10),
  steps: fc.array(anyStep, { minLength: 1, maxLength: 8 }),
});

interface Said {
  readonly otherOrders: readonly number[];
  readonly otherUrls: readonly string[];
  readonly isWarned: boolean;
}

/** A conclusion, and the calls before it that changed something or tried to. */
interface Ended {
  readonly end: Conclusion;
  readonly calls: number;
}

function saidBy({ end: { data = null, warnings = [] } }: Ended): Said {
  const { otherOrders = [], otherUrls = [] } = (data ?? {}) as unknown as Partial<Said>;
  return { otherOrders, otherUrls, isWarned: warnings.some(({ code }) => code === 'OTHER_IMAGES') };
}

const keyOf = ({ order, content }: Picture) => `${order}${content}`;
const isDone = ({ end: { outcome } }: Ended) => outcome === 'applied' || outcome === 'unchanged';

/** Sentences about what the shop shows and the result of the publish does not say; none if it is true. */
function untrue(ended: Ended, set: readonly Picture[], replace: boolean, shown: readonly ShownPicture[]): string[] {
  const { otherOrders, otherUrls, isWarned } = saidBy(ended);
  const wanted = new Set(set.map(keyOf));
  const unnamed = shown.filter(({ url }) => !otherUrls.includes(url));
  const isFirst = (picture: Picture, index: number) =>
    unnamed.findIndex((each) => keyOf(each) === keyOf(picture)) === index;
  const own = unnamed.filter((picture, index) => wanted.has(keyOf(picture)) && isFirst(picture, index));
  const others = unnamed.filter((picture) => !own.includes(picture));
  const places = new Set(set.map(({ order }) => order));
  const contents = new Set(set.map(({ content }) => content));
  const inTheWay = shown.filter(
    (picture) => !own.includes(picture) && (places.has(picture.order) || contents.has(picture.content)),
  );
  return [
    ...set
      .filter((image) => !shown.some((picture) => keyOf(picture) === keyOf(image)))
      .map((image) => `${keyOf(image)} is not there`),
    ...otherUrls.filter((url) => !shown.some((picture) => picture.url === url)).map((url) => `${url} is not there`),
    ...(others.map(({ order }) => order).join() === otherOrders.toSorted((a, b) => a - b).join()
      ? []
      : [`others at ${others.map(({ order }) => order).join()}, not at ${otherOrders.join()}`]),
    ...(inTheWay.length > 0 && !isWarned ? [`no warning of ${inTheWay.map(keyOf).join()}`] : []),
    ...(replace && others.length > 0 ? ['replace leaves others'] : []),
    ...(ended.end.outcome === 'unchanged' && ended.calls > 0 ? ['unchanged after a call'] : []),
  ];
}

const publish = ({ set, replace }: { readonly set: readonly Picture[]; readonly replace: boolean }) =>
  publishing(set, replace);
const remove = (urls: readonly string[]): FileWork => ({
  kind: 'remove-files',
  externalReference: 'sku-1',
  fileType: FILE_TYPES.SKU,
  urls,
  storageIds: [],
});
const undo = (undoes: string): FileWork => ({ kind: 'undo-images', skuExternalReference: 'sku-1', undoes });

/** Plays a life of the SKU's pictures; returns what results said that was not so, with the step. */
async function flawsOf({ perRequest, steps }: typeof anyLife extends fc.Arbitrary<infer Life> ? Life : never) {
  const sku = new SimulatedFiles({ perRequest });
  const { platform } = sku;
  const published: string[] = [];
  let last: { readonly set: readonly Picture[]; readonly replace: boolean } | null = null;
  const flaws: string[] = [];
  let isCalm = true;
  const note = (what: string, found: readonly string[]) => flaws.push(...found.map((flaw) => `${what}: ${flaw}`));
  const ended = async (asked: FileWork, course: Course): Promise<Ended> => {
    const { end, calls } = await sku.play(asked, course);
    if (end === null) throw new Error('The command has no end');
    return { end, calls };
  };
  for (const [index, { did, course, pauseMs }] of steps.entries()) {
    if (did.what === 'add by hand') platform.byHand((all) => [...all, { order: did.order, content: `x${index}` }]);
    if (did.what === 'remove by hand') platform.byHand((all) => all.filter((_, place) => place !== did.place));
    if (did.what === 'publish') last = did;
    if ((did.what === 'publish' || did.what === 'publish again') && last !== null) {
      const done = await ended(publish(last), course);
      published.push(sku.lastCommandId);
      if (isDone(done)) note(`${index} ${done.end.outcome}`, untrue(done, last.set, last.replace, platform.pictures));
    }
    if (did.what === 'remove') {
      const urls = did.places.flatMap((place) => platform.pictures[place]?.url ?? []);
      const done = urls.length === 0 ? null : await ended(remove(urls), course);
      const left = platform.urls.filter((url) => urls.includes(url));
      if (done !== null && isDone(done))
        note(
          `${index} removal`,
          left.map((url) => `${url} is there`),
        );
    }
    if (did.what === 'undo' && published.length > 0) {
      const undone = published[did.publish % published.length]!;
      const urls = sku.uploadedBy(undone);
      const done = await ended(undo(undone), course);
      const { otherUrls } = saidBy(done);
      const left = platform.urls.filter((url) => urls.includes(url) && !otherUrls.includes(url));
      if (isDone(done))
        note(
          `${index} undoing`,
          left.map((url) => `${url} is there`),
        );
    }
    isCalm &&= did.what.startsWith('publish') && course === NO_TROUBLE;
    platform.settle();
    platform.wait(pauseMs);
  }
  if (last === null) return flaws;
  const done = await ended(publish(last), NO_TROUBLE);
  note('in the end', isDone(done) ? untrue(done, last.set, last.replace, platform.pictures) : [done.end.outcome]);
  const again = await ended(publish(last), NO_TROUBLE);
  note('again', again.end.outcome === 'unchanged' ? [] : [again.end.outcome]);
  note('again', untrue(again, last.set, last.replace, platform.pictures));
  // Addresses are named only where the place or content of a picture cannot be known.
  note('a calm life', isCalm ? saidBy(again).otherUrls : []);
  return flaws;
}

describe("a SKU's pictures under publish, replace, remove and undo, with lost answers and readings that are behind", () => {
  it('are what the newest command says, each once, or its result names what stays (rules 16, 32, 35)', async () => {
    await fc.assert(
      fc.asyncProperty(anyLife, async (life) => {
        expect(await flawsOf(life)).toEqual([]);
      }),
      { numRuns: sized(300, 6_000) },
    );
  });
});
