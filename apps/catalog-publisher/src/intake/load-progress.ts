import { FINAL_OUTCOMES, type FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import { MINUTE_MS } from '@gondola/shared/durations';
import type { CatalogKind } from '../records/catalog-kinds.ts';

/** Source of a load's records: topics with its `loadId`, a file, or an operator's resend. */
type LoadSource = 'topic' | 'file' | 'resend';

/** States of a load's records; each record is in exactly one. */
export const LOAD_STATES = ['queued', 'waiting', 'sent', ...FINAL_OUTCOMES, 'repeated', 'unreadable'] as const;

export type LoadState = (typeof LOAD_STATES)[number];

/** Row of a load. */
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

/** A load with its counts, all from one state of the database. */
export interface CountedLoad {
  readonly load: Load;
  readonly commands: {
    readonly states: Readonly<Partial<Record<'queued' | 'waiting' | 'sent' | FinalOutcome, number>>>;
    /** Concluded within the last minute. */
    readonly lastMinute: number;
    readonly lastFinishedAt: Date | null;
  };
  /** Records that are `invalid` because their id is known with other content. */
  readonly conflicts: number;
  /** Entities of a resend that are not queued yet. */
  readonly unqueued: number;
}

/** Progress of a load for operators. */
export interface ShownLoad extends Pick<
  Load,
  'id' | 'tenant' | 'loadId' | 'source' | 'recordKind' | 'expected' | 'taken'
> {
  readonly counts: Readonly<Record<LoadState, number>>;
  /** The sum of `counts`. */
  readonly total: number;
  /** Records without a final outcome, including those that were not handed over yet. */
  readonly open: number;
  readonly startedAt: string;
  /** Time of the last final outcome once no record is open. */
  readonly finishedAt: string | null;
  /** Concluded records per minute, over the last minute or the shorter age of the load. */
  readonly perMinute: number;
  /** Estimated time of the last outcome at that rate; null if no record is open, or at rate 0. */
  readonly estimatedEndAt: string | null;
}

/** Shortest time that gives a rate. */
const LEAST_AGE_MS = 1_000;
/** Largest time of a date; a later estimate is null. */
const LAST_MS = 8_640_000_000_000_000;

/** Progress, rate and estimated end of a load. */
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
