/** All answers of apps that no browser has read yet are longer together than the console holds. */
export class NoRoomError extends Error {
  constructor() {
    super('The answers that nobody has read yet are too long together');
    this.name = 'NoRoomError';
  }
}

/** Bytes of the answers for one call. */
export interface AnswerHold {
  /** @throws NoRoomError if there is no room for more */
  grow(bytes: number): void;
  /** Gives the room back for good: the caller has gone, or has read all, and what comes later is held for nobody. */
  release(): void;
}

/** Bounds the bytes of all answers together, from their arrival until the browser has read them. */
export class AnswerRoom {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  open(): AnswerHold {
    let own = 0;
    let isReleased = false;
    return {
      grow: (bytes) => {
        if (isReleased) return;
        if (this.#held + bytes > this.#limit) throw new NoRoomError();
        this.#held += bytes;
        own += bytes;
      },
      release: () => {
        if (!isReleased) this.#held -= own;
        isReleased = true;
      },
    };
  }
}
