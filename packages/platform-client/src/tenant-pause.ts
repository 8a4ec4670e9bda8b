/**
 * When a tenant's calls are let through. Pure: the state, what happened, the time and a random number give the next
 * state. Gives: one tenant has one pause, one probe ends it (rule 17). Tested in tenant-pause.unit.spec.ts.
 *
 *                failure × N, 401/403, 429               `until` is over, one call comes
 *        open ────────────────────────────────▶ paused ────────────────────────────────▶ probing
 *         ▲                                      ▲   ▲                                     │ │ │
 *         │                                      │   └── given up without an answer ───────┘ │ │
 *         │                                      └────── failed: a longer pause ─────────────┘ │
 *         └───────────────────────────────────────────── answered ─────────────────────────────┘
 *
 * Several calls may be under way when a pause begins. Their late ends carry an older generation: they are no evidence
 * about the probe, neither end nor lengthen a pause, except that a late 401, 403 or 429 is always obeyed.
 *
 * One order's or one product's trouble pauses nobody (guarantee 5): failures in a row that are all about one entity
 * count as one.
 */

/** Durations and counts of the pause. */
export interface PauseSettings {
  /**
   * Calls that fail or time out in a row before the tenant is paused; those in a row that are about one entity are one.
   */
  readonly failuresInRow: number;
  /** Length of a first pause in milliseconds; the next is twice as long, and so on. */
  readonly basePauseMs: number;
  /** No pause of our own is longer, in milliseconds. A `Retry-After` may be, up to {@link MAX_RETRY_AFTER_MS}. */
  readonly maxPauseMs: number;
}

export const DEFAULT_PAUSE_SETTINGS: PauseSettings = { failuresInRow: 5, basePauseMs: 1_000, maxPauseMs: 60_000 };

/** A `Retry-After` beyond a day is taken for a mistake: after a day one probe asks again. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

export type PauseCause = 'paused' | 'credentials' | 'throttled';

/** What a call showed about the platform. `nothing`: it was given up before it could show anything. */
export type CallEvidence =
  | { readonly kind: 'answered' }
  /** `about`: the one entity that the call was about, which may itself be what fails; null: the platform as a whole. */
  | { readonly kind: 'failed'; readonly about: string | null }
  | { readonly kind: 'credentials' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  | { readonly kind: 'nothing' };

type Trouble = Exclude<CallEvidence, { kind: 'answered' | 'nothing' }>;

interface Open {
  readonly kind: 'open';
  readonly generation: number;
  readonly failures: number;
  /** What the last failure of the row was about. */
  readonly lastFailed: string | null;
}
interface Halted {
  readonly kind: 'paused' | 'probing';
  readonly generation: number;
  readonly cause: PauseCause;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Pauses in a row, from 1: the length grows with it. */
  readonly pauses: number;
}
export type PauseState = Open | Halted;

/** Belongs to one admitted call and is handed back with what it showed. */
export interface Ticket {
  readonly generation: number;
}

export type Admission =
  | { readonly kind: 'go'; readonly ticket: Ticket }
  | { readonly kind: 'wait'; readonly cause: PauseCause; readonly retryAfterMs: number };

export const INITIAL_PAUSE_STATE: PauseState = { kind: 'open', generation: 0, failures: 0, lastFailed: null };

/** Lets one call through or tells how long to wait; a call that is let through after a pause is the probe. */
export function admit(state: PauseState, nowMs: number, settings: PauseSettings): [PauseState, Admission] {
  if (state.kind === 'paused' && nowMs >= state.until) {
    return [
      { ...state, kind: 'probing' },
      { kind: 'go', ticket: { generation: state.generation } },
    ];
  }
  const wait = waitOf(state, nowMs, settings);
  if (wait === null) return [state, { kind: 'go', ticket: { generation: state.generation } }];
  return [state, { kind: 'wait', ...wait }];
}

/** Why and how long (milliseconds, above 0) a call would have to wait now; null when it would be let through. */
export function waitOf(
  state: PauseState,
  nowMs: number,
  settings: PauseSettings,
): { cause: PauseCause; retryAfterMs: number } | null {
  if (state.kind === 'open') return null;
  if (state.kind === 'probing') return { cause: state.cause, retryAfterMs: settings.basePauseMs };
  return nowMs >= state.until ? null : { cause: state.cause, retryAfterMs: Math.ceil(state.until - nowMs) };
}

/** Takes in what an admitted call showed. `random` is in [0, 1). */
export function settle(
  state: PauseState,
  ticket: Ticket,
  evidence: CallEvidence,
  nowMs: number,
  random: number,
  settings: PauseSettings,
): PauseState {
  if (ticket.generation !== state.generation) return settleLate(state, evidence, nowMs, random, settings);
  if (evidence.kind === 'nothing') return state.kind === 'probing' ? { ...state, kind: 'paused' } : state;
  if (evidence.kind === 'answered') return { ...INITIAL_PAUSE_STATE, generation: state.generation };
  if (evidence.kind === 'failed' && state.kind === 'open') {
    const { about } = evidence;
    const failures = state.failures + (about !== null && about === state.lastFailed ? 0 : 1);
    if (failures < settings.failuresInRow) return { ...state, failures, lastFailed: about };
  }
  return paused(state, evidence, nowMs, random, settings);
}

/** The end of a call that was let through before the present pause, or before the one that has ended since. */
function settleLate(
  state: PauseState,
  evidence: CallEvidence,
  nowMs: number,
  random: number,
  settings: PauseSettings,
): PauseState {
  if (evidence.kind !== 'credentials' && evidence.kind !== 'throttled') return state;
  if (state.kind === 'open') return paused(state, evidence, nowMs, random, settings);
  // The same trouble told once more: it does not make the pause grow, but names its cause, and a longer Retry-After
  // counts.
  if (evidence.kind === 'credentials') return state.kind === 'paused' ? { ...state, cause: 'credentials' } : state;
  if (evidence.retryAfterMs === null) return state;
  const until = nowMs + Math.min(evidence.retryAfterMs, MAX_RETRY_AFTER_MS);
  if (until <= state.until) return state;
  return { ...state, kind: 'paused', generation: state.generation + 1, cause: 'throttled', until };
}

function paused(
  before: PauseState,
  evidence: Trouble,
  nowMs: number,
  random: number,
  settings: PauseSettings,
): PauseState {
  const pauses = before.kind === 'open' ? 1 : before.pauses + 1;
  const askedMs = evidence.kind === 'throttled' ? evidence.retryAfterMs : null;
  return {
    kind: 'paused',
    generation: before.generation + 1,
    cause: evidence.kind === 'failed' ? 'paused' : evidence.kind,
    until: nowMs + (askedMs === null ? ownPauseMs(pauses, random, settings) : Math.min(askedMs, MAX_RETRY_AFTER_MS)),
    pauses,
  };
}

/**
 * Between half and the whole of base × 2^(pauses − 1), at most the cap: replicas that failed together do not probe
 * together.
 */
function ownPauseMs(pauses: number, random: number, settings: PauseSettings): number {
  const fullMs = Math.min(settings.maxPauseMs, settings.basePauseMs * 2 ** (pauses - 1));
  return fullMs / 2 + (fullMs / 2) * random;
}
