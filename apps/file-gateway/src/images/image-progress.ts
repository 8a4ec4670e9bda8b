import { isFresh } from '@gondola/shared/commands/retry';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { isFetchProgress } from '../fetching/fetch-progress.ts';
import { afterRemoving, type AppliedImages, type ImageSet } from '../platform/applied-images.ts';
import type { HeldImage } from '../uploads/held-content.ts';
import {
  type FileProgress,
  nextReading,
  type Reading,
  type ReadingContext,
  type RequestAttempt,
  type Sighting,
} from '../platform/file-attempt.ts';
import { type ImagePlan, planImages, type ShownImages, shownImages } from './plan-images.ts';

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
  /** The file list from which that was planned; absent in progress of an older version. */
  readonly plannedFrom?: readonly string[];
  /** Addresses before the current request was sent: those of the file list and all that Gondola knows. */
  readonly before: readonly string[];
  /** Addresses that the proven requests created. */
  readonly newUrls: readonly string[];
  /** Images and addresses of each proven request; absent in progress of an older version. */
  readonly newSets?: readonly ImageSet[];
  /** The last file list; absent in progress of an older version. */
  readonly listed?: readonly string[];
  /** A file list that was not as expected, until it is shown again; absent or null: the last one was. */
  readonly doubted?: DoubtedList | null;
  /** The last reading of the file list, for the current request. */
  readonly reading: Reading | null;
  /** Images of the current request that are placed already; absent if no images are placed before the call. */
  readonly placement?: Placement | null;
}

/** A file list that may be behind, or an empty answer that says nothing: it counts once it is shown again. */
interface DoubtedList {
  /** RFC 3339; time of its first reading. */
  readonly at: string;
  readonly list: readonly string[];
  /** Age from which it counts. */
  readonly untilMs: number;
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
  /** Ages from which a list counts that is not as expected, or is empty where nothing was expected. */
  readonly doubt: { readonly unexpectedMs: number; readonly emptyMs: number };
  /** Splits images, in their order, into requests under the platform's limit. */
  readonly split: (images: readonly HeldImage[]) => readonly (readonly HeldImage[])[];
}

/**
 * Progress after a reading of the file list. The first reading that is not doubted decides which images are sent; one
 * before an attempt is the basis for later comparisons; one with as many new addresses as the request has images proves
 * it, and is the basis for the next request.
 */
export function withList(progress: ImageProgress, list: readonly string[], context: ListContext): ImageProgress {
  const read = { ...progress, blocked: null, listed: list };
  if (progress.requests === null) return withFirstList(read, list, context);
  return isReplacing(progress) ? withListAfterAll(read, list, context) : withListOfRequest(read, list, context);
}

function withFirstList(progress: ImageProgress, list: readonly string[], context: ListContext): ImageProgress {
  const { known, replace, split, doubt } = context;
  const doubtMs = isUnexpected(list, known) ? doubt.unexpectedMs : list.length === 0 ? doubt.emptyMs : null;
  const doubted = doubtMs === null ? null : doubtOf(progress, list, context, doubtMs);
  if (doubted !== null) return { ...progress, doubted };
  const plan = planImages({ images: progress.images, replace }, known.sets, list);
  const requests = split(plan.send).map((images) => images.map(({ order }) => order));
  const planned = { ...progress, doubted: null, requests, replaced: plan.removed, plannedFrom: list };
  return withList(planned, list, context);
}

/** The doubt about this list; null once it was shown for long enough. */
function doubtOf(
  { doubted: before = null }: ImageProgress,
  list: readonly string[],
  { at }: ReadingContext,
  untilMs: number,
): DoubtedList | null {
  const isSame = before !== null && before.list.length === list.length && newIn(list, before.list).length === 0;
  if (!isSame) return { at, list, untilMs };
  return Date.parse(at) - Date.parse(before.at) >= before.untilMs ? null : before;
}

function withListOfRequest(progress: ImageProgress, list: readonly string[], context: ListContext): ImageProgress {
  const { known } = context;
  const reading = readingOf(context);
  const attempts = currentAttempts(progress);
  if (attempts.length === 0) {
    const before = [
      ...new Set([...progress.before, ...list, ...urlsOf(known.sets), ...known.gone, ...progress.newUrls]),
    ];
    return { ...progress, before, reading: nextReading([], null, 'none', reading) };
  }
  const fresh = newIn(list, progress.before);
  const images = currentImages(progress);
  if (fresh.length < images.length) {
    return {
      ...progress,
      reading: nextReading(attempts, progress.reading, fresh.length === 0 ? 'none' : 'some', reading),
    };
  }
  const set = { images: images.map(({ order, sha256 }) => ({ order, sha256 })), urls: fresh };
  const proven: ImageProgress = {
    ...progress,
    current: progress.current + 1,
    newUrls: [...progress.newUrls, ...fresh],
    newSets: [...(progress.newSets ?? []), set],
    reading: null,
    placement: null,
  };
  return withList(proven, list, context);
}

/** All images are shown; the rest is removed. A list without them is behind, and shows nothing of the removal. */
function withListAfterAll(progress: ImageProgress, list: readonly string[], context: ListContext): ImageProgress {
  const { known, replace, doubt } = context;
  const reading = readingOf(context);
  const { current, replaced = [] } = progress;
  const attempts = currentAttempts(progress);
  const own = [...urlsOf(planOf(progress, known, replace).kept), ...progress.newUrls];
  const doubted = newIn(own, list).length > 0 ? doubtOf(progress, list, reading, doubt.unexpectedMs) : null;
  if (doubted !== null) {
    return { ...progress, doubted, reading: nextReading(attempts, progress.reading, 'doubtful', reading) };
  }
  const read = { ...progress, doubted: null };
  if (attempts.length === 0) {
    const left = replace ? newIn(list, own) : replaced.filter((url) => list.includes(url));
    return { ...read, replaced: left, before: list, reading: nextReading([], null, 'none', reading) };
  }
  const seen = removedSeen(replaced, list);
  const next = nextReading(attempts, progress.reading, seen, reading);
  return { ...read, current: seen === 'all' ? current + 1 : current, reading: next };
}

/** True if a list differs from what Gondola uploaded and removed last: it may be behind. */
function isUnexpected(list: readonly string[], { sets, gone }: AppliedImages): boolean {
  const urls = urlsOf(sets);
  return urls.length + gone.length > 0 && (newIn(urls, list).length > 0 || newIn(list, urls).length > 0);
}

function planOf(progress: ImageProgress, known: AppliedImages, replace: boolean): ImagePlan<HeldImage> {
  return planImages({ images: progress.images, replace }, known.sets, progress.plannedFrom ?? progress.before);
}

/** Known images when the command ends; null if it ends before the file list was read. */
export function imagesAfter(progress: ImageProgress, known: AppliedImages, replace: boolean): AppliedImages | null {
  if (progress.requests === null) return null;
  const { kept, dropped } = planOf(progress, known, replace);
  const { newUrls, replaced = [] } = progress;
  const { newSets = newUrls.length === 0 ? [] : [{ images: provenImages(progress), urls: newUrls }] } = progress;
  const isRemoved = isDone(progress);
  const after = { sets: [...kept, ...(isRemoved ? [] : dropped), ...newSets], gone: known.gone };
  return isRemoved ? afterRemoving(after, replaced) : after;
}

/** Images of the last file list, compared with the command and the known images after it. */
export function shownAtEnd(progress: ImageProgress, after: AppliedImages): ShownImages {
  return shownImages(progress.images, after.sets, progress.listed ?? progress.before);
}

function readingOf({ at, afterRefusal, afterDeadline }: ReadingContext): ReadingContext {
  return { at, afterRefusal, afterDeadline };
}

function removedSeen(replaced: readonly string[], list: readonly string[]): Sighting {
  const left = new Set(list).intersection(new Set(replaced)).size;
  if (left === 0) return 'all';
  return left === replaced.length ? 'none' : 'some';
}

function urlsOf(sets: readonly ImageSet[]): string[] {
  return sets.flatMap(({ urls }) => urls);
}

function newIn(list: readonly string[], before: readonly string[]): string[] {
  const there = new Set(before);
  return [...new Set(list)].filter((url) => !there.has(url));
}

function imagesOf({ images }: ImageProgress, orders: readonly number[]): HeldImage[] {
  return images.filter(({ order }) => orders.includes(order));
}
