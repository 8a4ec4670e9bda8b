import { isFresh } from '@gondola/shared/commands/retry';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { isFetchProgress } from '../fetching/fetch-progress.ts';
import { type AppliedImages, changedImages } from '../turns/applied-images.ts';
import type { HeldImage } from '../uploads/held-content.ts';
import {
  type FileProgress,
  nextReading,
  type Reading,
  type ReadingContext,
  type RequestAttempt,
  type Sighting,
} from '../platform/file-attempt.ts';

/** Progress of a `PublishSkuImages`, as stored between two lane steps. */
export interface ImageProgress extends FileProgress<RequestAttempt> {
  /** Sorted by their positions; the command holds their uploads. */
  readonly images: readonly HeldImage[];
  /** RFC 3339; time at which the wait for the SKU began; null if the SKU was known at once. */
  readonly waitingSince: string | null;
  /** Positions in each request; null until the file list was read once, empty if nothing changed. */
  readonly requests: readonly (readonly number[])[] | null;
  /** Index of the current request; the one after the last removes the replaced images. */
  readonly current: number;
  /** Addresses that are removed once all images are shown; absent in progress of an older version. */
  readonly replaced?: readonly string[];
  /** The file list before the current request was sent. */
  readonly before: readonly string[];
  /** Addresses that the proven requests created. */
  readonly newUrls: readonly string[];
  /** The last reading of the file list, for the current request. */
  readonly reading: Reading | null;
  /** Images of the current request that are placed already; absent if no images are placed before the call. */
  readonly placement?: Placement | null;
}

export interface Placement {
  /** RFC 3339; end of the last session. */
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
  if (!isPlainRecord(value) || !Array.isArray(value['images']))
    throw new Error('The stored progress of a command has an unknown form');
  return value as unknown as ImageProgress;
}

/** True if every request is proven and the replaced images are gone. */
export function isDone({ requests, current, replaced = [] }: ImageProgress): boolean {
  return requests !== null && current >= requests.length + (replaced.length > 0 ? 1 : 0);
}

/** True if all images are shown and the addresses that they replace are being removed. */
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
 * True if all images of the current request were placed, and recently enough for the call that links them. After
 * that call they are not placed again, because the call removes them.
 */
export function isPlaced(progress: ImageProgress, nowMs: number, placedFreshMs: number): boolean {
  if (currentAttempts(progress).length > 0) return true;
  const { placement = null } = progress;
  if (placement === null || !isFresh(placement, nowMs, placedFreshMs)) return false;
  return currentImages(progress).every(({ order }) => placement.orders.includes(order));
}

/** Images of the requests that are proven. */
export function provenImages(progress: ImageProgress): HeldImage[] {
  return imagesOf(progress, (progress.requests ?? []).slice(0, progress.current).flat());
}

export interface ListContext extends ReadingContext {
  readonly known: AppliedImages;
  /** The SKU's other images are removed after the upload. */
  readonly replace: boolean;
  /** Splits images, in their order, into requests under the platform's limit. */
  readonly split: (images: readonly HeldImage[]) => readonly (readonly HeldImage[])[];
}

/**
 * Progress after a reading of the file list. The first reading decides which images are sent; one before an attempt
 * is the basis for later comparisons; one with as many new addresses as the request has images proves it, and is
 * the basis for the next request.
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

/** Plan for images that are added to those of the SKU: only changed ones are sent. */
function planAdding(images: readonly HeldImage[], known: AppliedImages, list: readonly string[]) {
  return { images: changedImages(images, known, list), replaced: [] };
}

/**
 * Plan for images that replace all others. Nothing shows which address holds which image: unless the images are
 * exactly those last applied, all are sent again and all old addresses are removed.
 */
function planReplacing(images: readonly HeldImage[], known: AppliedImages, list: readonly string[]) {
  const isSameSet = Object.keys(known.sha256ByOrder).length === images.length;
  if (!isSameSet || changedImages(images, known, list).length > 0) return { images, replaced: [...new Set(list)] };
  return { images: [], replaced: newIn(list, known.urls) };
}

function seenOf(progress: ImageProgress, list: readonly string[]): Sighting {
  if (isReplacing(progress)) return removedSeen(progress.replaced ?? [], list);
  const fresh = newIn(list, progress.before).length;
  if (fresh === 0) return 'none';
  return fresh < currentImages(progress).length ? 'some' : 'all';
}

function removedSeen(replaced: readonly string[], list: readonly string[]): Sighting {
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
