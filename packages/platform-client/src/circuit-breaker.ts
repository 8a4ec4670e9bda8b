import { backoffMs } from '@gondola/shared/backoff';
/**
 * A circuit breaker, of a tenant or of one of its routes (tenant-passage.ts). Pure: the next state follows from the
 * state, the event, the time and a random number. Guarantees that one trial call closes it (rule 17). Tested in
 * circuit-breaker.unit.spec.ts.
 *
 *                failure × N, 401/403, 429             `until` is over, one call comes
 *      closed ────────────────────────────────▶ open ────────────────────────────────▶ half-open
 *         ▲                                      ▲ ▲                                     │ │ │
 *         │                                      │ └── given up without an answer ───────┘ │ │
 *         │                                      └──── failed: open for longer ────────────┘ │
 *         └─────────────────────────────────────────── answered ─────────────────────────────┘
 *
 * An operator may end `until` sooner (`endPause`).
 *
 * Several calls may be open when the breaker opens. Their late outcomes carry an older generation: they are no
 * evidence about the trial call, and neither close the breaker nor extend its open time, except that a late 401,
 * 403 or 429 is always obeyed.
 *
 * A failing order or product does not open the breaker (guarantee 5): consecutive failures of calls about one
 * entity count as one failure.
 */

/** Durations and counts of a circuit breaker. */
export interface BreakerSettings {
  /**
   * Number of consecutive failures or time-outs that open the breaker; consecutive ones about the same entity count
   * as one.
   */
  readonly failuresInRow: number;
  /** Time for which the breaker is open at first, in milliseconds; it doubles with each further opening. */
  readonly firstOpenMs: number;
  /**
   * Longest time for which the breaker is open, in milliseconds. A `Retry-After` may be longer, up to {@link
   * MAX_RETRY_AFTER_MS}.
   */
  readonly maxOpenMs: number;
}

export const DEFAULT_BREAKER_SETTINGS: BreakerSettings = { failuresInRow: 5, firstOpenMs: 1_000, maxOpenMs: 60_000 };

/** A `Retry-After` of more than a day is treated as a mistake: after a day there is one trial call. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

/** Cause of the open state; `paused`: failures in a row. */
export type OpenCause = 'paused' | 'credentials' | 'throttled';

/** Evidence of a call about the platform. `nothing`: the call was aborted before it could show anything. */
export type CallEvidence =
  | { readonly kind: 'answered' }
  /**
   * `about`: the entity of the call, which may itself be the cause of the failure; null: none or several.
   */
  | { readonly kind: 'failed'; readonly about: string | null }
  | { readonly kind: 'credentials' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  | { readonly kind: 'nothing' };

/** Evidence, and what it is evidence about: the whole tenant or the called route. */
export interface ScopedEvidence {
  readonly scope: 'tenant' | 'route';
  readonly evidence: CallEvidence;
}

type Trouble = Exclude<CallEvidence, { kind: 'answered' | 'nothing' }>;

interface Closed {
  readonly kind: 'closed';
  readonly generation: number;
  readonly failures: number;
  /** Entity of the last failure in the row. */
  readonly lastFailed: string | null;
}
interface Opened {
  readonly kind: 'open' | 'half-open';
  readonly generation: number;
  readonly cause: OpenCause;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Number of consecutive openings, from 1; the open time rises with it. */
  readonly openings: number;
}
export type BreakerState = Closed | Opened;

/** Identifies an admitted call; passed to `settle` with the call's evidence. */
export interface Ticket {
  readonly generation: number;
}

export type Admission =
  | { readonly kind: 'go'; readonly ticket: Ticket }
  | { readonly kind: 'wait'; readonly cause: OpenCause; readonly retryAfterMs: number };

export const INITIAL_BREAKER_STATE: BreakerState = { kind: 'closed', generation: 0, failures: 0, lastFailed: null };

/** Admits a call, or returns how long it would have to wait. The call admitted after `until` is the trial call. */
export function admit(state: BreakerState, nowMs: number, settings: BreakerSettings): [BreakerState, Admission] {
  if (state.kind === 'open' && nowMs >= state.until) {
    return [
      { ...state, kind: 'half-open' },
      { kind: 'go', ticket: { generation: state.generation } },
    ];
  }
  const wait = waitOf(state, nowMs, settings);
  if (wait === null) return [state, { kind: 'go', ticket: { generation: state.generation } }];
  return [state, { kind: 'wait', ...wait }];
}

/**
 * Cause and time (milliseconds, above 0) of the wait that a call would now have; null if it would be let through.
 */
export function waitOf(
  state: BreakerState,
  nowMs: number,
  settings: BreakerSettings,
): { cause: OpenCause; retryAfterMs: number } | null {
  if (state.kind === 'closed') return null;
  if (state.kind === 'half-open') return { cause: state.cause, retryAfterMs: settings.firstOpenMs };
  return nowMs >= state.until ? null : { cause: state.cause, retryAfterMs: Math.ceil(state.until - nowMs) };
}

/** Ends the open time: the next call is the trial call, whose failure or `Retry-After` opens the breaker again. */
export function endPause(state: BreakerState, nowMs: number): BreakerState {
  return state.kind === 'open' && state.until > nowMs ? { ...state, until: nowMs } : state;
}

/** Applies the evidence of an admitted call. `random` is in [0, 1). */
export function settle(
  state: BreakerState,
  ticket: Ticket,
  evidence: CallEvidence,
  nowMs: number,
  random: number,
  settings: BreakerSettings,
): BreakerState {
  if (ticket.generation !== state.generation) return settleLate(state, evidence, nowMs, random, settings);
  if (evidence.kind === 'nothing') return state.kind === 'half-open' ? { ...state, kind: 'open' } : state;
  if (evidence.kind === 'answered') return { ...INITIAL_BREAKER_STATE, generation: state.generation };
  if (evidence.kind === 'failed' && state.kind === 'closed') {
    const { about } = evidence;
    const failures = state.failures + (about !== null && about === state.lastFailed ? 0 : 1);
    if (failures < settings.failuresInRow) return { ...state, failures, lastFailed: about };
  }
  return opened(state, evidence, nowMs, random, settings);
}

/** Applies the late evidence of a call that was admitted before the breaker last opened. */
function settleLate(
  state: BreakerState,
  evidence: CallEvidence,
  nowMs: number,
  random: number,
  settings: BreakerSettings,
): BreakerState {
  if (evidence.kind !== 'credentials' && evidence.kind !== 'throttled') return state;
  if (state.kind === 'closed') return opened(state, evidence, nowMs, random, settings);
  // The same failure again does not extend the open time. But the cause becomes `credentials`, and a longer
  // Retry-After counts.
  if (evidence.kind === 'credentials') return state.kind === 'open' ? { ...state, cause: 'credentials' } : state;
  if (evidence.retryAfterMs === null) return state;
  const until = nowMs + Math.min(evidence.retryAfterMs, MAX_RETRY_AFTER_MS);
  if (until <= state.until) return state;
  return { ...state, kind: 'open', generation: state.generation + 1, cause: 'throttled', until };
}

function opened(
  before: BreakerState,
  evidence: Trouble,
  nowMs: number,
  random: number,
  settings: BreakerSettings,
): BreakerState {
  const openings = before.kind === 'closed' ? 1 : before.openings + 1;
  const askedMs = evidence.kind === 'throttled' ? evidence.retryAfterMs : null;
  return {
    kind: 'open',
    generation: before.generation + 1,
    cause: evidence.kind === 'failed' ? 'paused' : evidence.kind,
    until:
      nowMs +
      (askedMs === null
        ? backoffMs({ baseMs: settings.firstOpenMs, maxMs: settings.maxOpenMs }, openings, random)
        : Math.min(askedMs, MAX_RETRY_AFTER_MS)),
    openings,
  };
}
