/** Ends a turn; called once. `wasRefused`: the attempt proved nothing. */
export type EndTurn = (wasRefused: boolean) => void;

interface Waiting {
  readonly begin: (turn: EndTurn | null) => void;
}

export interface LineLimits {
  /** Attempts that wait, of known callers and of strangers each. */
  readonly most: number;
  /** Rest after a stranger's refused attempt, in times of its work. */
  readonly restFor: number;
}

export interface LineClock {
  /** Milliseconds since some time. */
  now(): number;
  /** Calls back after so many milliseconds. */
  later(ms: number, callBack: () => void): void;
}

/**
 * The line before the work that an attempt to sign in costs, one at a time. Callers take turns, so that one who sends
 * many attempts delays none of the others, and those whose browser has signed in before come first. In a full line the
 * newest attempt of the caller with the most attempts makes room. After a stranger's refused attempt no stranger's is
 * worked on for a while, so that those who guess passwords take a share of a core at most.
 */
export class SignInLine {
  readonly #limits: LineLimits;
  readonly #clock: LineClock;
  #isWorking = false;
  #isResting = false;
  /** Attempts by caller, the callers in the order of their turns. */
  readonly #known = new Map<string, Waiting[]>();
  readonly #strange = new Map<string, Waiting[]>();

  constructor(limits: LineLimits, clock: LineClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Waits for the caller's turn; null if the line is too long for it. */
  enter(caller: string, isKnown: boolean): Promise<EndTurn | null> {
    return new Promise((resolve) => {
      const line = isKnown ? this.#known : this.#strange;
      const own = line.get(caller) ?? [];
      line.set(caller, [...own, { begin: resolve }]);
      this.#goOn();
      if (lengthOf(line) > this.#limits.most) giveUpNewest(line);
    });
  }

  #goOn(): void {
    if (this.#isWorking) return;
    const known = takeNext(this.#known);
    const next = known ?? (this.#isResting ? undefined : takeNext(this.#strange));
    if (next === undefined) return;
    this.#isWorking = true;
    const beganAt = this.#clock.now();
    next.begin((wasRefused) => {
      this.#isWorking = false;
      if (wasRefused && known === undefined) this.#rest(this.#clock.now() - beganAt);
      this.#goOn();
    });
  }

  #rest(workedMs: number): void {
    this.#isResting = true;
    this.#clock.later(workedMs * this.#limits.restFor, () => {
      this.#isResting = false;
      this.#goOn();
    });
  }
}

function lengthOf(line: ReadonlyMap<string, readonly Waiting[]>): number {
  return [...line.values()].reduce((sum, own) => sum + own.length, 0);
}

/** The first attempt of the caller whose turn it is; the caller goes to the end. */
function takeNext(line: Map<string, Waiting[]>): Waiting | undefined {
  const [turn] = line;
  if (turn === undefined) return undefined;
  const [caller, [first, ...rest]] = turn;
  line.delete(caller);
  if (rest.length > 0) line.set(caller, rest);
  return first;
}

/** Of callers with as many attempts, the one who came last. */
function giveUpNewest(line: Map<string, Waiting[]>): void {
  const [caller, own] = [...line].reduce((most, each) => (each[1].length >= most[1].length ? each : most));
  const rest = own.slice(0, -1);
  if (rest.length === 0) line.delete(caller);
  else line.set(caller, rest);
  own.at(-1)?.begin(null);
}
