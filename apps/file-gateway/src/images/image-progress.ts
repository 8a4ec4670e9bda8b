import { isFresh } from '@gondola/shared/commands/retry';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { isFetchProgress } from '../fetching/fetch-progress.ts';
import { type AppliedImages, changedImages } from './applied-images.ts';
import type { HeldImage } from '../uploads/held-content.ts';
import {
  type FileProgress,
  nextReading,
  type Reading,
  type ReadingContext,
  type RequestAttempt,
  type Seen,
} from '../platform/file-attempt.ts';

/** Progress of a `PublishSkuImages`, as stored between two lane steps. */
export interface ImageProgress extends FileProgress<RequestAttempt> {
  /** By their order; their uploads are held. */
  readonly images: readonly HeldImage[];
  /** RFC 3339: since when the SKU is waited for; null where it was known at once. */
  readonly waitingSince: string | null;
  /** The places that go in each request; null until the file list was read once, empty where nothing changed. */
  readonly requests: readonly (readonly number[])[] | null;
  /** The request under way; the one after the last takes away what is to be replaced. */
  readonly current: number;
  /** Addresses that are taken away after all images are there; absent where an older version wrote it. */
  readonly replaced?: readonly string[];
  /** The file list before the current request was sent. */
  readonly before: readonly string[];
  /** Addresses that the proven requests brought. */
  readonly newUrls: readonly string[];
  /** The last reading of the file list, for the current request. */
  readonly reading: Reading | null;
  /** Images of the current request that are where it finds them; absent where nothing is placed before. */
  readonly placement?: Placement | null;
}

export interface Placement {
  /** RFC 3339; the end of the last session. */
  readonly at: string;
  readonly orders: readonly number[];
}

export function startImages(images: readonly HeldImage[]): ImageProgress {
  return {
    images,
    waitingSince: null,
    requests: null,
    current: 0,
    before: [],
    newUrls: [],
    attempts: [],
    reading: null,
    blocked: null,
  };
}

/** Progress from its JSON text; null before its content is held. Only this app writes it: another form is a bug. */
export function imageProgressFromText(text: string | null): ImageProgress | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (isFetchProgress(value)) return null;
  if (!isPlainRecord(value) || !Array.isArray(value['images'])) throw new Error('Stored progress has another form');
  return value as unknown as ImageProgress;
}

/** Whether every request is proven, and what was to be replaced is gone. */
export function isDone({ requests, current, replaced = [] }: ImageProgress): boolean {
  return requests !== null && current >= requests.length + (replaced.length > 0 ? 1 : 0);
}

/** Whether all images are there, and the addresses that they replace are on their way out. */
export function isReplacing(progress: ImageProgress): boolean {
  return progress.current === progress.requests?.length && !isDone(progress);
}

/** The attempts of the current request. */
export function currentAttempts({ attempts, current }: ImageProgress): RequestAttempt[] {
  return attempts.filter(({ request }) => request === current);
}

/** The images of the current request, by their order. */
export function currentImages(progress: ImageProgress): HeldImage[] {
  return imagesOf(progress, progress.requests?.[progress.current] ?? []);
}

/**
 * Whether the images of the current request were placed for it: all of them, and not long before the call that links
 * them. Once that call was made they are not placed again, since it takes them away.
 */
export function isPlaced(progress: ImageProgress, nowMs: number, placedFreshMs: number): boolean {
  if (currentAttempts(progress).length > 0) return true;
  const { placement = null } = progress;
  if (placement === null || !isFresh(placement, nowMs, placedFreshMs)) return false;
  return currentImages(progress).every(({ order }) => placement.orders.includes(order));
}

/** The images of the requests that are proven. */
export function provenImages(progress: ImageProgress): HeldImage[] {
  return imagesOf(progress, (progress.requests ?? []).slice(0, progress.current).flat());
}

export interface ListContext extends ReadingContext {
  readonly known: AppliedImages;
  /** The SKU's other images are removed after the upload. */
  readonly replace: boolean;
  /** Into requests under the platform's limit, by their order. */
  readonly split: (images: readonly HeldImage[]) => readonly (readonly HeldImage[])[];
}

/**
 * After the file list was read. The first reading says what has to be sent at all; one before an attempt is what the
 * later ones are compared with; one that has as many new addresses as the request has images proves it, and is what the
 * next request is compared with.
 */
export function withList(progress: ImageProgress, list: readonly string[], context: ListContext): ImageProgress {
  const { known, replace, split, ...reading } = context;
  const { requests, current } = progress;
  if (requests === null) {
    const plan = replace ? planReplacing(progress.images, known, list) : planAdding(progress.images, known, list);
    const planned = split(plan.images).map((images) => images.map(({ order }) => order));
    return withList({ ...progress, requests: planned, replaced: plan.replaced }, list, context);
  }
  const attempts = currentAttempts(progress);
  if (attempts.length === 0) {
    return { ...progress, blocked: null, before: list, reading: nextReading([], null, 'none', reading) };
  }
  const seen = seenOf(progress, list);
  if (seen !== 'all') {
    return { ...progress, blocked: null, reading: nextReading(attempts, progress.reading, seen, reading) };
  }
  const proven = nextReading(attempts, progress.reading, seen, reading);
  if (isReplacing(progress)) return { ...progress, blocked: null, current: current + 1, reading: proven };
  const newUrls = [...progress.newUrls, ...newIn(list, progress.before)];
  const next = { ...progress, current: current + 1, newUrls, reading: null, placement: null };
  return withList(next, list, context);
}

/** Images that are added to those of the SKU: what has changed. */
function planAdding(images: readonly HeldImage[], known: AppliedImages, list: readonly string[]) {
  return { images: changedImages(images, known, list), replaced: [] };
}

/**
 * Images that take the place of all others. Which address has which image is not known: unless they are exactly those
 * that were applied last, all go again, and whatever was there goes.
 */
function planReplacing(images: readonly HeldImage[], known: AppliedImages, list: readonly string[]) {
  const isSameSet = Object.keys(known.sha256ByOrder).length === images.length;
  if (!isSameSet || changedImages(images, known, list).length > 0) return { images, replaced: [...new Set(list)] };
  return { images: [], replaced: newIn(list, known.urls) };
}

function seenOf(progress: ImageProgress, list: readonly string[]): Seen {
  if (isReplacing(progress)) return removedSeen(progress.replaced ?? [], list);
  const fresh = newIn(list, progress.before).length;
  if (fresh === 0) return 'none';
  return fresh < currentImages(progress).length ? 'some' : 'all';
}

function removedSeen(replaced: readonly string[], list: readonly string[]): Seen {
  const left = new Set(list).intersection(new Set(replaced)).size;
  if (left === 0) return 'all';
  return left === replaced.length ? 'none' : 'some';
}

function newIn(list: readonly string[], before: readonly string[]): string[] {
  const there = new Set(before);
  return [...new Set(list)].filter((url) => !there.has(url));
}

function imagesOf({ images }: ImageProgress, orders: readonly number[]): HeldImage[] {
  return images.filter(({ order }) => orders.includes(order));
}
