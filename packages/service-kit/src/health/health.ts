import { safeError } from '../logging/safe-error.ts';

export type Phase = 'starting' | 'ready' | 'stopping';

/** State of one startable: `retrying` after a transient failure, whose code is `reason`. */
export interface StartableState {
  state: 'waiting' | 'starting' | 'retrying' | 'started' | 'stopped';
  attempts?: number;
  reason?: string;
  /** Setting that could not be used, such as `DATABASE_URL`. */
  variable?: string;
  /** Reason why a running start waits, if it may take time. */
  waitsFor?: string;
}

export interface CheckReport extends Partial<StartableState> {
  ok: boolean;
  /** False: shown, but not required for readiness. */
  required: boolean;
}

export interface ReadinessReport {
  status: Phase | 'failing';
  checks: Record<string, CheckReport>;
}

type Check = () => boolean | Promise<boolean>;

const CHECK_LIMIT_MS = 2_000;

/**
 * Readiness of this process: the state of every startable, and of checks that other code registers by name. Ready
 * means that it is running, every required startable has started, and every required check passes. A report
 * contains no personal data and no error text, since `/health/ready` requires no token.
 */
export class Health {
  #phase: Phase = 'starting';
  readonly #startables = new Map<string, { required: boolean; state: StartableState }>();
  readonly #checks = new Map<string, { required: boolean; check: Check }>();
  #running: Promise<ReadinessReport> | undefined;

  get phase(): Phase {
    return this.#phase;
  }

  setPhase(phase: Phase): void {
    this.#phase = phase;
  }

  /** Adds a check. It fails if it throws or takes longer than two seconds. */
  register(name: string, check: Check, { required = true }: { required?: boolean } = {}): void {
    if (this.#checks.has(name)) throw new Error(`A health check "${name}" is registered already`);
    this.#checks.set(name, { required, check });
  }

  setStartable(name: string, state: StartableState, required: boolean): void {
    this.#startables.set(name, { required, state });
  }

  startables(): Record<string, StartableState> {
    return Object.fromEntries([...this.#startables].map(([name, { state }]) => [name, state]));
  }

  /** The current state. Concurrent requests share one report. */
  async readiness(): Promise<ReadinessReport> {
    this.#running ??= this.#report().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #report(): Promise<ReadinessReport> {
    const checks: Record<string, CheckReport> = {};
    for (const [name, { required, state }] of this.#startables) {
      checks[name] = { ok: state.state === 'started', required, ...state };
    }
    const asked = [...this.#checks].map(async ([name, { required, check }]) => ({
      name,
      required,
      ...(await passes(check)),
    }));
    for (const { name, required, ok, reason } of await Promise.all(asked)) {
      const startable = checks[name] ?? { ok: true, required };
      checks[name] = { ...startable, ok: startable.ok && ok, ...(reason === undefined ? {} : { reason }) };
    }
    const failing = Object.values(checks).some((check) => check.required && !check.ok);
    return { status: this.#phase === 'ready' && failing ? 'failing' : this.#phase, checks };
  }
}

async function passes(check: Check): Promise<{ ok: boolean; reason?: string }> {
  const late = Promise.withResolvers<{ ok: boolean; reason: string }>();
  const timer = setTimeout(() => late.resolve({ ok: false, reason: 'TIMEOUT' }), CHECK_LIMIT_MS);
  const answer = (async () => ({ ok: await check() }))().catch((error: unknown) => ({
    ok: false,
    reason: reasonCode(error),
  }));
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}

/** Code of a failure, else the name of its class: a caller without a token may see no more. */
export function reasonCode(error: unknown): string {
  const { code, name } = safeError(error);
  return code ?? name;
}
