import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type EndTurn, SignInLine } from './sign-in-line.ts';

/** Attempts in the order of their turns; `null` ones were given up. */
class Play {
  readonly begun: string[] = [];
  readonly givenUp: string[] = [];
  readonly #line: SignInLine;
  readonly #ends: EndTurn[] = [];

  constructor(atOnce: number, most: number) {
    this.#line = new SignInLine(atOnce, most);
  }

  enter(attempt: string, { isKnown = false, caller = attempt.split('/', 1)[0]! } = {}): void {
    void this.#line.enter(caller, isKnown).then((end) => {
      if (end === null) return this.givenUp.push(attempt);
      this.#ends.push(end);
      return this.begun.push(attempt);
    });
  }

  get working(): number {
    return this.#ends.length;
  }

  endOldest(): boolean {
    const end = this.#ends.shift();
    end?.();
    return end !== undefined;
  }

  async endAll(): Promise<void> {
    await setImmediate();
    while (this.endOldest()) await setImmediate();
  }
}

describe('the line before a sign-in', () => {
  it('lets callers take turns, whoever sends many attempts', async () => {
    const play = new Play(1, 10);
    for (const attempt of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'c/1']) play.enter(attempt);
    await play.endAll();
    expect(play.begun).toEqual(['a/1', 'a/2', 'b/1', 'c/1', 'a/3', 'a/4']);
  });

  it('lets known browsers go first, and keeps their place in a full line', async () => {
    const play = new Play(1, 3);
    for (let stranger = 0; stranger < 100; stranger += 1) play.enter(`s${stranger}/1`);
    play.enter('owner/1', { isKnown: true });
    await play.endAll();
    expect(play.begun.slice(0, 2)).toEqual(['s0/1', 'owner/1']);
    expect(play.begun).toHaveLength(5);
    expect(play.givenUp).toHaveLength(96);
  });

  it('gives up attempts of the caller with the most, and not a newcomer', async () => {
    const play = new Play(1, 4);
    for (const attempt of ['x/1', 'a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'c/1']) play.enter(attempt);
    await play.endAll();
    expect(play.givenUp).toEqual(['a/4', 'a/3']);
    expect(play.begun).toEqual(['x/1', 'a/1', 'b/1', 'c/1', 'a/2']);
  });

  it('ends each attempt once, never works on more than it may, and stands still for nobody', async () => {
    const event = fc.oneof(
      fc.record({ caller: fc.constantFrom('a', 'b', 'c', 'd'), isKnown: fc.boolean() }),
      fc.constant('end' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (events, atOnce) => {
        const play = new Play(atOnce, 5);
        const entered: string[] = [];
        for (const [index, each] of events.entries()) {
          if (each === 'end') play.endOldest();
          else {
            const attempt = `${each.caller}/${index}`;
            entered.push(attempt);
            play.enter(attempt, { isKnown: each.isKnown });
          }
          await setImmediate();
          expect(play.working).toBeLessThanOrEqual(atOnce);
        }
        await play.endAll();
        expect([...play.begun, ...play.givenUp].toSorted()).toEqual(entered.toSorted());
      }),
    );
  });
});
