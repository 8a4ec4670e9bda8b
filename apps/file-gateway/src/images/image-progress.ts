import type { AttemptProgress } from '@gondola/shared/commands/attempts';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { isFetchProgress } from '../fetching/fetch-progress.ts';
import { type AppliedImages, changedImages } from './applied-images.ts';
import type { HeldImage } from '../uploads/held-content.ts';
import {
  nextReading,
  type Reading,
  type ReadingContext,
  type RequestAttempt,
  type Seen,
} from '../platform/file-attempt.ts';

/** Progress of a `PublishSkuImages`, as stored between two lane steps. */
export interface ImageProgress extends AttemptProgress<RequestAttempt> {
  /** By their order; their uploads are held. */
  readonly images: readonly HeldImage[];
  /** RFC 3339: since when the SKU is waited for; null where it was known at once. */
  readonly waitingSince: string | null;
  /** The places that go in each request; null until the file list was read once, empty where nothing changed. */
  readonly requests: readonly (readonly number[])[] | null;
  /** The request under way; as many as there are once all are proven. */
  readonly current: number;
  /** The file list before the current request was sent. */
  readonly before: readonly string[];
  /** Addresses that the proven requests brought. */
  readonly newUrls: readonly string[];
  /** The last reading of the file list, for the current request. */
  readonly reading: Reading | null;
}

export function startImages(images: readonly HeldImage[]): ImageProgress {
  return {
    images,
    waitingSince: null,
    requests: null,
    current: 0,
    before: [],
    newUrls: [],
    sendings: [],
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

/** The attempts of the current request. */
export function currentAttempts({ sendings, current }: ImageProgress): RequestAttempt[] {
  return sendings.filter(({ request }) => request === current);
}

/** The images of the current request, by their order. */
export function currentImages(progress: ImageProgress): HeldImage[] {
  return imagesOf(progress, progress.requests?.[progress.current] ?? []);
}

/** The images of the requests that are proven. */
export function provenImages(progress: ImageProgress): HeldImage[] {
  return imagesOf(progress, (progress.requests ?? []).slice(0, progress.current).flat());
}

export interface ListContext extends ReadingContext {
  readonly known: AppliedImages;
  /** Into requests under the platform's limit, by their order. */
  readonly split: (images: readonly HeldImage[]) => readonly (readonly HeldImage[])[];
}

/**
 * After the file list was read. The first reading says what has to be sent at all; one before an attempt is what the
 * later ones are compared with; one that has as many new addresses as the request has images proves it, and is what the
 * next request is compared with.
 */
export function withList(progress: ImageProgress, list: readonly string[], context: ListContext): ImageProgress {
  const { known, split, ...reading } = context;
  const { requests, current } = progress;
  if (requests === null) {
    const changed = split(changedImages(progress.images, known, list));
    const planned = changed.map((images) => images.map(({ order }) => order));
    return withList({ ...progress, requests: planned }, list, context);
  }
  const attempts = currentAttempts(progress);
  if (attempts.length === 0) {
    return { ...progress, blocked: null, before: list, reading: nextReading([], null, 'none', reading) };
  }
  const seen = seenOf(progress, list);
  if (seen !== 'all') {
    return { ...progress, blocked: null, reading: nextReading(attempts, progress.reading, seen, reading) };
  }
  const newUrls = [...progress.newUrls, ...newIn(list, progress.before)];
  const next = { ...progress, current: current + 1, newUrls, reading: null };
  return withList(next, list, context);
}

function seenOf(progress: ImageProgress, list: readonly string[]): Seen {
  const fresh = newIn(list, progress.before).length;
  if (fresh === 0) return 'none';
  return fresh < currentImages(progress).length ? 'some' : 'all';
}

function newIn(list: readonly string[], before: readonly string[]): string[] {
  const there = new Set(before);
  return [...new Set(list)].filter((url) => !there.has(url));
}

function imagesOf({ images }: ImageProgress, orders: readonly number[]): HeldImage[] {
  return images.filter(({ order }) => orders.includes(order));
}
