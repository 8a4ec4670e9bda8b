import { withAnswer, withAttempt, withoutLastAttempt } from '@gondola/shared/commands/attempts';
import { describe, expect, it } from '@jest/globals';
import { imageOf, iso, SENT_AT_MS, UPLOAD_SETTINGS } from '../../test/support/uploads.ts';
import { type AppliedImages, NO_IMAGES } from '../platform/applied-images.ts';
import { decideImages, type ImageSituation } from './decide-images.ts';
import {
  currentImages,
  type ImageProgress,
  type ListContext,
  type Placement,
  provenImages,
  startImages,
  withList,
} from './image-progress.ts';
import { splitUnderLimit } from '../platform/split-images.ts';

const SETTINGS = { ...UPLOAD_SETTINGS, referencesMs: 86_400_000, referenceCheckMs: 30_000 };
const NOW = iso(SENT_AT_MS);
const TWO_EACH = 250;

function context(known: AppliedImages, replace: boolean, afterMs: number): ListContext {
  return {
    at: iso(SENT_AT_MS + afterMs),
    afterRefusal: false,
    afterDeadline: false,
    known,
    replace,
    doubt: { unexpectedMs: SETTINGS.lostAnswerMs, emptyMs: SETTINGS.readBackMs },
    split: (images) => splitUnderLimit(images, { limit: TWO_EACH, empty: 0, of: ({ size }) => size }),
  };
}

function readOnce(progress: ImageProgress, urls: readonly string[], known: AppliedImages, afterMs = 0): ImageProgress {
  return withList(progress, urls, context(known, false, afterMs));
}

/** Progress after readings that show the list until it counts. */
function listed(
  progress: ImageProgress,
  urls: readonly string[],
  known: AppliedImages = NO_IMAGES,
  replace = false,
): ImageProgress {
  const first = withList(progress, urls, context(known, replace, -SETTINGS.lostAnswerMs));
  return first.doubted == null
    ? withList(progress, urls, context(known, replace, 0))
    : withList(first, urls, context(known, replace, 0));
}

function decide(progress: ImageProgress, more: Partial<ImageSituation> = {}) {
  const standard = {
    failures: [],
    deadlineInMs: null,
    nowMs: SENT_AT_MS,
    consumedUpToMs: SENT_AT_MS,
    failedReadAtMs: null,
    isSkuKnown: true,
    placesFirst: false,
  };
  return decideImages({ ...standard, progress, ...more }, SETTINGS);
}

const written = (progress: ImageProgress) =>
  withAttempt(progress, { at: NOW, seenFailureId: '0', request: progress.current });
const sent = (progress: ImageProgress) => withAnswer(written(progress), { kind: 'accepted', operationId: 'op-1' });
const THREE = startImages([imageOf(1), imageOf(2), imageOf(3)]);

describe('the images of a SKU', () => {
  it('are sent in ordered requests, each proven by the file list before the next is sent (rule 32)', () => {
    expect(decide(THREE)).toEqual({ kind: 'read' });
    const planned = listed(THREE, ['old']);
    expect(planned.requests).toEqual([[1, 2], [3]]);
    expect(decide(planned)).toEqual({ kind: 'send' });
    expect(currentImages(planned).map(({ order }) => order)).toEqual([1, 2]);
    const halfSeen = listed(sent(planned), ['old', 'a']);
    expect(halfSeen).toMatchObject({ current: 0, reading: { seen: 'some' } });
    const proven = listed(halfSeen, ['old', 'a', 'b']);
    expect(provenImages(proven).map(({ order }) => order)).toEqual([1, 2]);
    expect(decide(proven)).toEqual({ kind: 'send' });
    const all = listed(sent(proven), ['c', 'old', 'a', 'b']);
    expect(decide(all)).toEqual({ kind: 'applied' });
    expect(all.newUrls).toEqual(['a', 'b', 'c']);
  });

  it('are read again before they are planned, while the list is not as expected or is empty (rules 16, 32)', () => {
    const known = { sets: [{ images: [{ order: 1, sha256: 'sha-1' }], urls: ['a'] }], gone: ['old'] };
    const one = startImages([imageOf(1)]);
    for (const list of [[], ['a', 'stranger'], ['a', 'old']]) {
      const doubted = readOnce(one, list, known);
      expect(doubted).toMatchObject({ requests: null, doubted: { list } });
      expect(decide(doubted, { nowMs: SENT_AT_MS + 1_000 })).toEqual({ kind: 'wait', ms: 4_000 });
      expect(decide(doubted, { nowMs: SENT_AT_MS + 5_000 })).toEqual({ kind: 'read' });
      expect(readOnce(doubted, ['a'], known, 5_000)).toMatchObject({ requests: [], doubted: null });
      expect(readOnce(doubted, list, known, 5_000)).toMatchObject({ requests: list.includes('a') ? [] : [[1]] });
    }
    expect(readOnce(one, [], NO_IMAGES)).toMatchObject({ requests: null, doubted: { untilMs: 500 } });
    expect(readOnce(one, ['stranger'], NO_IMAGES)).toMatchObject({ requests: [[1]] });
  });

  it('count as proven only by new addresses, which also proves an image that replaces another (rule 32)', () => {
    const one = sent(listed(startImages([imageOf(1)]), ['a', 'b']));
    expect(decide(listed(one, ['a2', 'b']))).toEqual({ kind: 'applied' });
    expect(listed(one, ['b', 'a']).reading).toMatchObject({ seen: 'none', attempts: 1, count: 1 });
  });

  it('are compared with a new list after a call that was no attempt (rule 16)', () => {
    const planned = listed(THREE, ['old']);
    const unsent = withoutLastAttempt(written(planned), 'throttled');
    expect(unsent).toMatchObject({ blocked: 'throttled', attempts: [] });
    expect(decide(unsent, { nowMs: SENT_AT_MS + 60_000 })).toEqual({ kind: 'read' });
    expect(listed(unsent, ['old', 'new'])).toMatchObject({ blocked: null, before: ['old', 'new'], current: 0 });
  });

  describe('that are placed before they are linked (rule 34)', () => {
    const planned = listed(THREE, []);
    const byDrop = (placement: Placement | null, progress = planned, more: Partial<ImageSituation> = {}) =>
      decide({ ...progress, placement }, { placesFirst: true, ...more });

    it('are sent once all of the request are placed, and were so lately', () => {
      expect(byDrop(null)).toEqual({ kind: 'place' });
      expect(byDrop({ at: NOW, orders: [1] })).toEqual({ kind: 'place' });
      expect(byDrop({ at: NOW, orders: [1, 2] })).toEqual({ kind: 'send' });
      const nowMs = SENT_AT_MS + UPLOAD_SETTINGS.readFreshMs + 1;
      expect(byDrop({ at: NOW, orders: [1, 2] }, planned, { nowMs })).toEqual({ kind: 'place' });
      // A session took long: the list is read again before images are linked.
      expect(byDrop({ at: iso(nowMs), orders: [1, 2] }, planned, { nowMs })).toEqual({ kind: 'read' });
    });

    it('are not placed again once they were linked, whatever became of the call', () => {
      const nowMs = SENT_AT_MS + 20_000;
      for (const attempted of [written(planned), sent(planned)]) {
        expect(byDrop(null, attempted, { nowMs, deadlineInMs: 60_000 })).toEqual({ kind: 'read' });
      }
      const lost = listed(written(planned), []);
      const reading = { ...lost.reading!, at: iso(nowMs), count: 2 };
      expect(byDrop(null, { ...lost, reading }, { nowMs, deadlineInMs: 60_000 })).toEqual({ kind: 'send' });
    });

    it('are placed again for each request, and not for the removal of replaced images', () => {
      const placement = { at: NOW, orders: [1, 2] };
      const second = listed(sent({ ...planned, placement }), ['a', 'b']);
      expect(second).toMatchObject({ current: 1, placement: null });
      expect(byDrop(null, second)).toEqual({ kind: 'place' });
      const replacing = { ...planned, current: 2, replaced: ['old'] };
      expect(byDrop(null, replacing)).toEqual({ kind: 'send' });
    });
  });
});

describe('the images of a SKU that is not known', () => {
  it('wait for the SKU, which is published once, and are sent when it is known (rule 32)', () => {
    expect(decide(THREE, { isSkuKnown: false })).toEqual({ kind: 'wait-for-sku', ms: 30_000, isNew: true });
    const waiting = { ...THREE, waitingSince: NOW };
    const later = { isSkuKnown: false, nowMs: SENT_AT_MS + 86_390_000, consumedUpToMs: SENT_AT_MS };
    expect(decide(waiting, later)).toEqual({ kind: 'wait-for-sku', ms: 10_000, isNew: false });
    expect(decide(waiting)).toEqual({ kind: 'read' });
  });

  it('end at the deadline of references, once everything up to it is consumed (rules 5, 32)', () => {
    const waiting = { ...THREE, waitingSince: NOW };
    const over = { isSkuKnown: false, nowMs: SENT_AT_MS + 86_400_000 };
    expect(decide(waiting, over)).toMatchObject({ kind: 'catch-up' });
    expect(decide(waiting, { ...over, consumedUpToMs: SENT_AT_MS + 86_400_000 })).toEqual({ kind: 'sku-missing' });
  });

  it('continue if the SKU became unknown after something was sent', () => {
    const planned = sent(listed(THREE, []));
    expect(decide(planned, { isSkuKnown: false, deadlineInMs: 900_000 })).toMatchObject({ kind: 'wait', ms: 500 });
  });
});

describe('images that replace the others', () => {
  it('are sent before the others are removed, and an unproven removal is sent again (rules 16, 32)', () => {
    let progress = listed(startImages([imageOf(1)]), ['old'], NO_IMAGES, true);
    expect(decide(progress)).toEqual({ kind: 'send' });
    progress = listed(attempted(progress), ['old', 'new'], NO_IMAGES, true);
    expect(progress).toMatchObject({ current: 1, replaced: ['old'], newUrls: ['new'] });
    expect(decide(progress)).toEqual({ kind: 'send' });
    progress = listed(attempted(progress), ['old', 'new'], NO_IMAGES, true);
    const late = { deadlineInMs: 500_000, nowMs: SENT_AT_MS + 400_000 };
    expect(decide(progress, late)).toEqual({ kind: 'read' });
    progress = listed(progress, ['new'], NO_IMAGES, true);
    expect(decide(progress)).toEqual({ kind: 'applied' });
    expect(provenImages(progress)).toHaveLength(1);
  });
});

/** Progress after the current request was accepted. */
function attempted(progress: ImageProgress): ImageProgress {
  const attempt = { at: NOW, seenFailureId: '0', request: progress.current };
  return withAnswer(withAttempt(progress, attempt), { kind: 'accepted', operationId: null });
}
