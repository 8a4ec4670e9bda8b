import { safeError } from '../logging/safe-error.ts';

export type Phase = 'starting' | 'ready' | 'stopping';

/** State of one startable: `retrying` after a transient failure, whose code is `reason`. */
export interface StartableState {
  state: 'waiting' | 'starting' | 'retrying' | 'started' | 'stopped';
  attempts?: number;
  reason?: string;
  /** Names what could not be used, such as `DATABASE_URL`. */
  variable?: string;
  /** Why a start that is under way may take its time. */
  waitsFor?: string;
}

export interface CheckReport extends Partial<StartableState> {
  ok: boolean;
  /** False: shown, but readiness does not depend on it. */
  required: boolean;
}

export interface ReadinessReport {
  status: Phase | 'failing';
  checks: Record<string, CheckReport>;
}

type Check = () => boolean | Promise<boolean>;

const CHECK_LIMIT_MS = 2_000;

/**
 * Whether this process can do its work: the state of every startable, and checks that others register by name. Ready =
 * running, every required startable has started, every required check passes. Nothing personal and no error text is in
 * a report, since `/health/ready` asks for no token.
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

  /** Adds a check. It may take two seconds; throwing or taking longer is failing. */
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

/** The code of a failure, else its class: all that a caller without a token may see. */
export function reasonCode(error: unknown): string {
  const { code, name } = safeError(error);
  return code ?? name;
}
