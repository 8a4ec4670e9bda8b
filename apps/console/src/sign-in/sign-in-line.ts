/** Ends a turn; called once. */
export type EndTurn = () => void;

interface Waiting {
  readonly begin: (turn: EndTurn | null) => void;
}

/**
 * The line before the work that an attempt to sign in costs. Callers take turns, so that one who sends many attempts
 * delays none of the others, and those whose browser has signed in before come first. In a full line the newest attempt
 * of the caller with the most attempts makes room.
 */
export class SignInLine {
  readonly #atOnce: number;
  readonly #most: number;
  #working = 0;
  /** Attempts by caller, the callers in the order of their turns. */
  readonly #known = new Map<string, Waiting[]>();
  readonly #strange = new Map<string, Waiting[]>();

  /**
   * @param atOnce attempts that are worked on at the same time
   * @param most attempts that wait, of known callers and of strangers each
   */
  constructor(atOnce: number, most: number) {
    this.#atOnce = atOnce;
    this.#most = most;
  }

  /** Waits for the caller's turn; null if the line is too long for it. */
  enter(caller: string, isKnown: boolean): Promise<EndTurn | null> {
    return new Promise((resolve) => {
      const line = isKnown ? this.#known : this.#strange;
      const own = line.get(caller) ?? [];
      line.set(caller, [...own, { begin: resolve }]);
      this.#goOn();
      if (lengthOf(line) > this.#most) giveUpNewest(line);
    });
  }

  #goOn(): void {
    while (this.#working < this.#atOnce) {
      const next = takeNext(this.#known) ?? takeNext(this.#strange);
      if (next === undefined) return;
      this.#working += 1;
      next.begin(() => {
        this.#working -= 1;
        this.#goOn();
      });
    }
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
