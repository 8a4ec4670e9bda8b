import { FINAL_OUTCOMES, type FinalOutcome } from '@gondola/shared/results/outcomes';
import type { CatalogKind } from '../records/catalog-kinds.ts';

/** How the records of a load come: by topics with its `loadId`, from a file, or sent again by an operator. */
export type LoadSource = 'topic' | 'file' | 'resend';

/** Where a record of a load stands; each is in exactly one of these. */
export const LOAD_STATES = ['queued', 'waiting', 'sent', ...FINAL_OUTCOMES, 'repeated', 'unreadable'] as const;

export type LoadState = (typeof LOAD_STATES)[number];

/** A load as its row has it. */
export interface Load {
  readonly id: string;
  readonly tenant: string;
  readonly loadId: string;
  readonly source: LoadSource;
  readonly startedAt: Date;
  readonly recordKind: CatalogKind | null;
  readonly digest: string | null;
  readonly expected: number | null;
  readonly taken: number;
  readonly repeated: number;
  readonly unreadable: number;
}

/** A load with what was counted of it, all in one state of the database. */
export interface CountedLoad {
  readonly load: Load;
  readonly commands: {
    readonly states: Readonly<Partial<Record<'queued' | 'waiting' | 'sent' | FinalOutcome, number>>>;
    /** Ended within the last minute. */
    readonly lastMinute: number;
    readonly lastFinishedAt: Date | null;
  };
  /** Records that ended `invalid` since their id had come with other content. */
  readonly conflicts: number;
  /** Entities that are to be sent again and have not been queued yet. */
  readonly unqueued: number;
}

/** How far a load is, for operators. */
export interface ShownLoad extends Pick<
  Load,
  'id' | 'tenant' | 'loadId' | 'source' | 'recordKind' | 'expected' | 'taken'
> {
  readonly counts: Readonly<Record<LoadState, number>>;
  /** The sum of `counts`. */
  readonly total: number;
  /** Records without an end: those that were not handed over yet included. */
  readonly open: number;
  readonly startedAt: string;
  /** When the last record ended, once none is open. */
  readonly finishedAt: string | null;
  /** Records that ended in the last minute; of a younger load as many as a minute would have at its rate. */
  readonly perMinute: number;
  /** When the last record ends at that rate; null where nothing is open, or nothing ends. */
  readonly estimatedEndAt: string | null;
}

const MINUTE_MS = 60_000;
/** A shorter time tells no rate. */
const LEAST_AGE_MS = 1_000;
/** The last time that a date can hold: what ends later than that does not end. */
const LAST_MS = 8_640_000_000_000_000;

/** How far a load is, how fast, and until when it takes. Pure. */
export function shownLoad({ load, commands, conflicts, unqueued }: CountedLoad, nowMs: number): ShownLoad {
  const { id, tenant, loadId, source, recordKind, expected, taken, repeated, unreadable } = load;
  const { states } = commands;
  const counts = Object.fromEntries(LOAD_STATES.map((state) => [state, 0])) as Record<LoadState, number>;
  Object.assign(counts, states, { repeated, unreadable });
  counts.queued += unqueued;
  counts.invalid += conflicts;
  const total = LOAD_STATES.reduce((sum, state) => sum + counts[state], 0);
  const notTaken = source === 'file' ? (expected ?? 0) - taken : 0;
  const open = counts.queued + counts.waiting + counts.sent + notTaken;
  const ageMs = Math.min(Math.max(nowMs - load.startedAt.getTime(), LEAST_AGE_MS), MINUTE_MS);
  const perMinute = Math.round((commands.lastMinute * MINUTE_MS) / ageMs);
  const endMs = nowMs + (open / perMinute) * MINUTE_MS;
  return {
    id,
    tenant,
    loadId,
    source,
    recordKind,
    expected,
    taken,
    counts,
    total,
    open,
    startedAt: load.startedAt.toISOString(),
    finishedAt: open > 0 ? null : (commands.lastFinishedAt?.toISOString() ?? null),
    perMinute,
    estimatedEndAt: open > 0 && endMs < LAST_MS ? new Date(endMs).toISOString() : null,
  };
}
