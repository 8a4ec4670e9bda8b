/**
 * The circuit breaker of one tenant. Pure: the state, what happened, the time and a random number give the next state.
 * Gives: a tenant has one circuit breaker, and one trial call closes it (rule 17). Tested in
 * circuit-breaker.unit.spec.ts.
 *
 *                failure × N, 401/403, 429             `until` is over, one call comes
 *      closed ────────────────────────────────▶ open ────────────────────────────────▶ half-open
 *         ▲                                      ▲ ▲                                     │ │ │
 *         │                                      │ └── given up without an answer ───────┘ │ │
 *         │                                      └──── failed: open for longer ────────────┘ │
 *         └─────────────────────────────────────────── answered ─────────────────────────────┘
 *
 * Several calls may be under way when the breaker opens. Their late ends carry an older generation: they are no
 * evidence about the trial call, and neither close the breaker nor keep it open for longer, except that a late 401, 403
 * or 429 is always obeyed.
 *
 * One order's or one product's trouble opens no breaker (guarantee 5): failures in a row that are all about one entity
 * count as one.
 */

/** Durations and counts of a circuit breaker. */
export interface BreakerSettings {
  /**
   * Calls that fail or time out in a row before the breaker opens; those in a row that are about one entity are one.
   */
  readonly failuresInRow: number;
  /** How long it first stays open, in milliseconds; the next time is twice as long, and so on. */
  readonly firstOpenMs: number;
  /**
   * It stays open no longer by itself, in milliseconds. A `Retry-After` may be longer, up to {@link
   * MAX_RETRY_AFTER_MS}.
   */
  readonly maxOpenMs: number;
}

export const DEFAULT_BREAKER_SETTINGS: BreakerSettings = { failuresInRow: 5, firstOpenMs: 1_000, maxOpenMs: 60_000 };

/** A `Retry-After` beyond a day is taken for a mistake: after a day one trial call asks again. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

/** Why the breaker is open; `paused`: by failures in a row. */
export type OpenCause = 'paused' | 'credentials' | 'throttled';

/** A call's evidence about the platform. `nothing`: it was aborted before it could show anything. */
export type CallEvidence =
  | { readonly kind: 'answered' }
  /** `about`: the one entity that the call was about, which may itself be what fails; null: the platform as a whole. */
  | { readonly kind: 'failed'; readonly about: string | null }
  | { readonly kind: 'credentials' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  | { readonly kind: 'nothing' };

type Trouble = Exclude<CallEvidence, { kind: 'answered' | 'nothing' }>;

interface Closed {
  readonly kind: 'closed';
  readonly generation: number;
  readonly failures: number;
  /** The subject of the last failure of the row. */
  readonly lastFailed: string | null;
}
interface Opened {
  readonly kind: 'open' | 'half-open';
  readonly generation: number;
  readonly cause: OpenCause;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** How many times in a row it opened, from 1: it stays open for longer each time. */
  readonly openings: number;
}
export type BreakerState = Closed | Opened;

/** Belongs to one admitted call and is handed back with what it showed. */
export interface Ticket {
  readonly generation: number;
}

export type Admission =
  | { readonly kind: 'go'; readonly ticket: Ticket }
  | { readonly kind: 'wait'; readonly cause: OpenCause; readonly retryAfterMs: number };

export const INITIAL_BREAKER_STATE: BreakerState = { kind: 'closed', generation: 0, failures: 0, lastFailed: null };

/**
 * Admits one call or answers how long to wait; a call that is let through when `until` is over is the trial call.
 */
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

/** Why and how long (milliseconds, above 0) a call would have to wait now; null when it would be let through. */
export function waitOf(
  state: BreakerState,
  nowMs: number,
  settings: BreakerSettings,
): { cause: OpenCause; retryAfterMs: number } | null {
  if (state.kind === 'closed') return null;
  if (state.kind === 'half-open') return { cause: state.cause, retryAfterMs: settings.firstOpenMs };
  return nowMs >= state.until ? null : { cause: state.cause, retryAfterMs: Math.ceil(state.until - nowMs) };
}

/** Takes in what an admitted call showed. `random` is in [0, 1). */
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

/** The end of a call that was let through before the breaker opened, or before it last did. */
function settleLate(
  state: BreakerState,
  evidence: CallEvidence,
  nowMs: number,
  random: number,
  settings: BreakerSettings,
): BreakerState {
  if (evidence.kind !== 'credentials' && evidence.kind !== 'throttled') return state;
  if (state.kind === 'closed') return opened(state, evidence, nowMs, random, settings);
  // The same trouble once more: the breaker stays open no longer for it, but its cause is named, and a longer
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
    until: nowMs + (askedMs === null ? ownOpenMs(openings, random, settings) : Math.min(askedMs, MAX_RETRY_AFTER_MS)),
    openings,
  };
}

/**
 * Between half and the whole of first × 2^(openings − 1), at most the cap: replicas that failed together do not try
 * together.
 */
function ownOpenMs(openings: number, random: number, settings: BreakerSettings): number {
  const fullMs = Math.min(settings.maxOpenMs, settings.firstOpenMs * 2 ** (openings - 1));
  return fullMs / 2 + (fullMs / 2) * random;
}
