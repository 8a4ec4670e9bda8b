import type { Readable } from 'node:stream';

/** The sender disconnected before the end of the body. */
export class BodyBrokenOffError extends Error {
  readonly code = 'BODY_BROKEN_OFF';
  /** Status of the answer, in case the sender still reads it. */
  readonly statusCode = 400;
  constructor(cause?: unknown) {
    super('The connection closed before the end of the body', { cause });
    this.name = 'BodyBrokenOffError';
  }
}

export interface BodyLimits {
  /** Longest body, in bytes. */
  readonly limit: number;
  /** Counts the bytes read, and those of a whole body until its user releases them. */
  readonly budget: BodyBudget;
}

/**
 * A whole body; `too-long`: over the limit; `no-room`: all bodies together were too long, and this was the longest.
 */
export type ReadBody = Buffer | 'too-long' | 'no-room';

/**
 * Reads a request's whole body unchanged. The rest of a refused body arrives unread: closing a connection while the
 * sender still writes often loses the answer. The server limits how long a sender may continue after its answer.
 * Rejects with `BodyBrokenOffError`.
 */
export function readBody(stream: Readable, limits: BodyLimits): Promise<ReadBody> {
  // It tells nobody any more that it ended.
  if (stream.destroyed) return Promise.reject(new BodyBrokenOffError());
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(limits.budget, () => resolve('no-room'));
    let hasEnded = false;
    stream.on('data', (chunk: Buffer) => {
      if (body.isOver) return;
      if (body.held + chunk.length <= limits.limit) return body.add(chunk);
      body.drop();
      resolve('too-long');
    });
    stream.on('end', () => {
      hasEnded = true;
      if (!body.isOver) resolve(body.whole());
    });
    stream.on('error', (error) => {
      body.drop();
      reject(new BodyBrokenOffError(error));
    });
    stream.on('close', () => {
      if (hasEnded) return;
      body.drop();
      reject(new BodyBrokenOffError());
    });
  });
}

/** A body up to this size of a known sender is never given up: nearly all deliveries are shorter and arrive at once. */
const ALWAYS_TAKEN_BYTES = 65_536;

/**
 * Bounds the bytes of all unanswered bodies. Above the bound, the longest body that is still being read is given
 * up: a sender of many long bodies makes room for senders of short ones, never the reverse.
 *
 * Every delivery passes here, so a short one only costs an addition and a subtraction.
 */
export class BodyBudget {
  readonly #limit: number;
  readonly #alwaysTaken: number;
  #held = 0;
  /** Bodies over `#alwaysTaken` that are still being read. */
  readonly #long: ArrivingBody[] = [];

  /** @param alwaysTaken bytes of a body that is never given up; 0 where strangers send bodies */
  constructor(limit: number, alwaysTaken: number = ALWAYS_TAKEN_BYTES) {
    this.#limit = limit;
    this.#alwaysTaken = alwaysTaken;
  }

  /** Bytes of all bodies now. */
  get held(): number {
    return this.#held;
  }

  /** Adds `bytes` that `body` has received. This may give up `body` itself or others. */
  grow(body: ArrivingBody, bytes: number): void {
    this.#held += bytes;
    if (body.held > this.#alwaysTaken && body.held - bytes <= this.#alwaysTaken) this.#long.push(body);
    while (this.#held > this.#limit && this.#long.length > 0) this.#giveUpLongest();
  }

  /** Marks `body` as complete or given up; its bytes count until they are released. */
  end(body: ArrivingBody): void {
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

/** A chunk costs about 300 bytes of memory besides its content, so shorter chunks are copied together. */
const COPIED_BYTES = 1_024;
const BLOCK_BYTES = 8_192;

/** A body that is being read, and can be given up to make room for others. */
class ArrivingBody {
  /** Bytes that it holds now. */
  held = 0;
  /** True once the body ended or was given up: later chunks are not stored. */
  isOver = false;
  readonly #budget: BodyBudget;
  readonly #onGivenUp: () => void;
  #chunks: Buffer[] = [];
  /** Buffer for short chunks that follow `#chunks`, while it has room. */
  #block: Buffer | null = null;
  #blockUsed = 0;

  constructor(budget: BodyBudget, onGivenUp: () => void) {
    this.#budget = budget;
    this.#onGivenUp = onGivenUp;
  }

  add(chunk: Buffer): void {
    this.held += chunk.length;
    if (chunk.length >= COPIED_BYTES || this.#chunks.length === 0) {
      this.#closeBlock();
      this.#chunks.push(chunk);
    } else this.#copy(chunk);
    this.#budget.grow(this, chunk.length);
  }

  whole(): Buffer {
    this.#closeBlock();
    this.isOver = true;
    this.#budget.end(this);
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  giveUp(): void {
    this.drop();
    this.#onGivenUp();
  }

  drop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#chunks = [];
    this.#block = null;
    this.#budget.end(this);
    this.#budget.release(this.held);
  }

  #copy(chunk: Buffer): void {
    if (this.#block === null || this.#blockUsed + chunk.length > BLOCK_BYTES) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#blockUsed = 0;
    }
    chunk.copy(this.#block, this.#blockUsed);
    this.#blockUsed += chunk.length;
  }

  #closeBlock(): void {
    if (this.#block === null) return;
    this.#chunks.push(this.#block.subarray(0, this.#blockUsed));
    this.#block = null;
  }
}
