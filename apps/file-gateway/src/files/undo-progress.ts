import { isPlainRecord } from '@gondola/shared/json/json-digits';
import {
  type FileProgress,
  nextReading,
  type Reading,
  type ReadingContext,
  type RequestAttempt,
  type Sighting,
} from '../platform/file-attempt.ts';
import type { HeldImage } from '../uploads/held-content.ts';

/** Progress of an `UndoImageUpload`, as stored between two lane steps. */
export interface UndoProgress extends FileProgress<RequestAttempt> {
  /** Images of each request; the command holds their uploads. */
  readonly undone: readonly (readonly HeldImage[])[];
  /** Addresses that the upload created. */
  readonly urls: readonly string[];
  /** Index of the current request. */
  readonly current: number;
  readonly reading: Reading | null;
  /** Addresses of the upload that the last file list shows; absent before the first one. */
  readonly left?: readonly string[];
  /** True if the last reading showed none of them: a second one in a row counts. */
  readonly wasGone?: boolean;
}

export function startUndo(undone: readonly (readonly HeldImage[])[], urls: readonly string[]): UndoProgress {
  return { undone, urls, current: 0, attempts: [], reading: null, blocked: null };
}

/** Progress from its JSON text; null before its content is held. Only this app writes it: another form is a bug. */
export function undoProgressFromText(text: string | null): UndoProgress | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (!isPlainRecord(value) || !Array.isArray(value['undone']))
    throw new Error('The stored progress of a command has an unknown form');
  return value as unknown as UndoProgress;
}

/** The attempts of the current request. */
export function currentUndoAttempts({ attempts, current }: UndoProgress): RequestAttempt[] {
  return attempts.filter(({ request }) => request === current);
}

/**
 * Progress after a reading of the file list. A request is proven when the number of the upload's addresses that are
 * gone reaches the number of images in it and all earlier requests. If all are gone before anything was sent, there
 * is nothing to undo. One list may be behind, or an empty answer, so addresses are gone in two readings in a row.
 */
export function withImagesLeft(progress: UndoProgress, list: readonly string[], context: ReadingContext): UndoProgress {
  const { undone, current, reading, urls, wasGone = false } = progress;
  const attempts = currentUndoAttempts(progress);
  const left = urls.filter((url) => list.includes(url));
  const counted = seenOf(progress, left.length);
  const isGone = counted === 'all';
  const seen = isGone && !wasGone ? 'doubtful' : counted;
  const next = nextReading(attempts, reading, seen, context);
  const read = { ...progress, blocked: null, left, wasGone: isGone, reading: next };
  if (seen !== 'all' || attempts.length === 0 || current === undone.length - 1) return read;
  return { ...read, current: current + 1, reading: null, wasGone: false };
}

function seenOf({ undone, urls, current, attempts }: UndoProgress, left: number): Sighting {
  const gone = urls.length - left;
  if (left === 0) return 'all';
  if (attempts.length === 0) return 'none';
  const before = undone.slice(0, current).flat().length;
  if (gone >= before + (undone[current]?.length ?? 0)) return 'all';
  return gone <= before ? 'none' : 'some';
}
