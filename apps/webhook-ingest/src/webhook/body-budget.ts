/** A body that is being read and can be given up to make room for others. */
export interface OpenBody {
  /** Bytes that it holds now. */
  readonly held: number;
  giveUp(): void;
}

/** A body up to this size is never given up: nearly all deliveries are shorter and arrive at once. */
const ALWAYS_TAKEN_BYTES = 65_536;

/**
 * Bounds the bytes of all unanswered bodies. Above the bound, the longest body that is still being read is given
 * up: a sender of many long bodies makes room for senders of short ones, never the reverse.
 *
 * Every delivery passes here, so a short one only costs an addition and a subtraction.
 */
export class BodyBudget {
  readonly #limit: number;
  #held = 0;
  /** Bodies over `ALWAYS_TAKEN_BYTES` that are still being read. */
  readonly #long: OpenBody[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes of all bodies now. */
  get held(): number {
    return this.#held;
  }

  /** Adds `bytes` that `body` has received. This may give up `body` itself or others. */
  grow(body: OpenBody, bytes: number): void {
    this.#held += bytes;
    if (body.held > ALWAYS_TAKEN_BYTES && body.held - bytes <= ALWAYS_TAKEN_BYTES) this.#long.push(body);
    while (this.#held > this.#limit && this.#long.length > 0) this.#giveUpLongest();
  }

  /** Marks `body` as complete or given up; its bytes count until they are released. */
  end(body: OpenBody): void {
    const at = this.#long.length === 0 ? -1 : this.#long.indexOf(body);
    if (at >= 0) this.#long.splice(at, 1);
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  #giveUpLongest(): void {
    const longest = this.#long.reduce((most, body) => (body.held > most.held ? body : most));
    this.end(longest);
    longest.giveUp();
  }
}
