import { isPlainRecord } from '@gondola/shared/json/json-digits';
import {
  type FileProgress,
  nextReading,
  type Reading,
  type ReadingContext,
  type Sighting,
} from '../platform/file-attempt.ts';

/** Files that a removal deletes, as far as the file list can show them. */
export interface RemovedFiles {
  /** Addresses to be removed. */
  readonly urls: readonly string[];
  /** Number of files named by id, whose addresses are not known. */
  readonly others: number;
}

/** Progress of a removal, as stored between two lane steps. */
export interface RemovalProgress extends FileProgress {
  /** The file list before the first attempt; null before it was read. */
  readonly before: readonly string[] | null;
  readonly reading: Reading | null;
  /** True if the last reading showed none of the files: a second one in a row counts. */
  readonly wasGone?: boolean;
}

const NOT_REMOVED: RemovalProgress = { before: null, attempts: [], reading: null, blocked: null };

/** Progress from its JSON text. Only this app writes it, so another form is a bug. */
export function removalProgressFromText(text: string | null): RemovalProgress {
  if (text === null) return NOT_REMOVED;
  const value: unknown = JSON.parse(text);
  if (!isPlainRecord(value) || !('before' in value))
    throw new Error('The stored progress of a command has an unknown form');
  return value as unknown as RemovalProgress;
}

/**
 * Progress after a reading of the file list; `list` is null if no list can show these files. One list may be behind, or
 * an empty answer, so files are gone in two readings in a row.
 */
export function withFiles(
  progress: RemovalProgress,
  list: readonly string[] | null,
  removed: RemovedFiles,
  context: ReadingContext,
): RemovalProgress {
  const { attempts, reading, wasGone = false } = progress;
  const before = attempts.length === 0 ? list : progress.before;
  const counted = seenOf({ before, list, hasAttempt: attempts.length > 0 }, removed);
  const isGone = counted === 'all';
  const next = nextReading(attempts, reading, isGone && !wasGone ? 'doubtful' : counted, context);
  return { ...progress, before, blocked: null, wasGone: isGone, reading: next };
}

/**
 * Part of a removal that the file list shows. Files named by id count as gone when as many other files are gone as
 * there are ids; until then, nothing shows whether they still exist.
 */
function seenOf(
  about: {
    readonly before: readonly string[] | null;
    readonly list: readonly string[] | null;
    readonly hasAttempt: boolean;
  },
  { urls, others }: RemovedFiles,
): Sighting {
  const { before, list, hasAttempt } = about;
  if (list === null) return hasAttempt ? 'unclear' : 'none';
  const there = new Set(list);
  const named = (before ?? []).filter((url) => urls.includes(url));
  const left = named.filter((url) => there.has(url)).length;
  const gone = (before ?? []).filter((url) => !there.has(url)).length;
  const othersGone = gone - (named.length - left);
  if (left > 0) return gone > 0 ? 'some' : 'none';
  if (othersGone >= others) return 'all';
  return hasAttempt ? 'unclear' : 'none';
}
