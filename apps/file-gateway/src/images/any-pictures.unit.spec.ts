import { sized } from '@gondola/local-stack/testing/sized';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type Picture,
  type PictureFate,
  type PictureFates,
  type PictureReadFate,
  type PicturesEnd,
  type ShownPicture,
  SimulatedSku,
} from '../../test/support/simulated-sku.ts';

const CALL_FATES: readonly PictureFate[] = [
  'seen',
  'later',
  'silence',
  'refusal',
  '400',
  '429',
  'lost answer, applied',
  'lost answer, not applied',
  'lost answer, applied after the end',
  'process ended, applied',
  'process ended, not applied',
];
const READ_FATES: readonly PictureReadFate[] = ['now', '3 s behind', 'empty', '500'];

const NO_TROUBLE: PictureFates = { calls: [], reads: [] };
const anyFates: fc.Arbitrary<PictureFates> = fc.record({
  calls: fc.array(fc.constantFrom(...CALL_FATES), { maxLength: 3 }),
  reads: fc.array(fc.constantFrom(...READ_FATES), { maxLength: 6 }),
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
  fates: fc.oneof(fc.constant(NO_TROUBLE), anyFates),
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

function saidBy({ conclusion: { data = null, warnings = [] } }: PicturesEnd): Said {
  const { otherOrders = [], otherUrls = [] } = (data ?? {}) as unknown as Partial<Said>;
  return { otherOrders, otherUrls, isWarned: warnings.some(({ code }) => code === 'OTHER_IMAGES') };
}

const keyOf = ({ order, content }: Picture) => `${order}${content}`;
const isDone = ({ conclusion: { outcome } }: PicturesEnd) => outcome === 'applied' || outcome === 'unchanged';

/** Sentences about what the shop shows and the result of the publish does not say; none if it is true. */
function untrue(end: PicturesEnd, set: readonly Picture[], replace: boolean, shown: readonly ShownPicture[]): string[] {
  const { otherOrders, otherUrls, isWarned } = saidBy(end);
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
    ...(end.conclusion.outcome === 'unchanged' && end.calls > 0 ? ['unchanged after a call'] : []),
  ];
}

/** Plays a life of the SKU's pictures; returns what results said that was not so, with the step. */
async function flawsOf({ perRequest, steps }: typeof anyLife extends fc.Arbitrary<infer Life> ? Life : never) {
  const sku = new SimulatedSku({ perRequest });
  const published: string[] = [];
  let last: { readonly set: readonly Picture[]; readonly replace: boolean } | null = null;
  const flaws: string[] = [];
  let isCalm = true;
  const note = (what: string, found: readonly string[]) => flaws.push(...found.map((flaw) => `${what}: ${flaw}`));
  for (const [index, { did, fates, pauseMs }] of steps.entries()) {
    if (did.what === 'add by hand') sku.byHand((all) => [...all, { order: did.order, content: `x${index}` }]);
    if (did.what === 'remove by hand') sku.byHand((all) => all.filter((_, place) => place !== did.place));
    if (did.what === 'publish') last = did;
    if ((did.what === 'publish' || did.what === 'publish again') && last !== null) {
      const end = await sku.publish(last.set, last.replace, fates);
      published.push(sku.lastCommandId);
      if (isDone(end)) note(`${index} ${end.conclusion.outcome}`, untrue(end, last.set, last.replace, sku.pictures));
    }
    if (did.what === 'remove') {
      const urls = did.places.flatMap((place) => sku.pictures[place]?.url ?? []);
      const end = urls.length === 0 ? null : await sku.remove(urls, fates);
      const left = sku.pictures.filter(({ url }) => urls.includes(url));
      if (end !== null && isDone(end))
        note(
          `${index} removal`,
          left.map(({ url }) => `${url} is there`),
        );
    }
    if (did.what === 'undo' && published.length > 0) {
      const undone = published[did.publish % published.length]!;
      const urls = sku.uploadedBy(undone);
      const end = await sku.undo(undone, fates);
      const { otherUrls } = saidBy(end);
      const left = sku.pictures.filter(({ url }) => urls.includes(url) && !otherUrls.includes(url));
      if (isDone(end))
        note(
          `${index} undoing`,
          left.map(({ url }) => `${url} is there`),
        );
    }
    isCalm &&= did.what.startsWith('publish') && fates === NO_TROUBLE;
    sku.settle();
    sku.wait(pauseMs);
  }
  if (last === null) return flaws;
  const end = await sku.publish(last.set, last.replace, NO_TROUBLE);
  note('in the end', isDone(end) ? untrue(end, last.set, last.replace, sku.pictures) : [end.conclusion.outcome]);
  const again = await sku.publish(last.set, last.replace, NO_TROUBLE);
  note('again', again.conclusion.outcome === 'unchanged' ? [] : [again.conclusion.outcome]);
  note('again', untrue(again, last.set, last.replace, sku.pictures));
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
