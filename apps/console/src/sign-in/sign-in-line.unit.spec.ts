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
  #nowMs = 0;
  #rests: { readonly untilMs: number; readonly end: () => void }[] = [];

  constructor(most: number) {
    this.#line = new SignInLine(
      { most, restFor: 3 },
      { now: () => this.#nowMs, later: (ms, end) => void this.#rests.push({ untilMs: this.#nowMs + ms, end }) },
    );
  }

  /** Lets time pass, and ends the rests that are over. */
  pass(ms: number): void {
    this.#nowMs += ms;
    const over = this.#rests.filter(({ untilMs }) => untilMs <= this.#nowMs);
    this.#rests = this.#rests.filter((rest) => !over.includes(rest));
    for (const { end } of over) end();
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

  endOldest(wasRefused = false): boolean {
    const end = this.#ends.shift();
    end?.(wasRefused);
    return end !== undefined;
  }

  async endAll(): Promise<void> {
    await setImmediate();
    while (this.endOldest()) await setImmediate();
  }
}

describe('the line before a sign-in', () => {
  it('lets callers take turns, whoever sends many attempts', async () => {
    const play = new Play(10);
    for (const attempt of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'c/1']) play.enter(attempt);
    await play.endAll();
    expect(play.begun).toEqual(['a/1', 'a/2', 'b/1', 'c/1', 'a/3', 'a/4']);
  });

  it('lets known browsers go first, and keeps their place in a full line', async () => {
    const play = new Play(3);
    for (let stranger = 0; stranger < 100; stranger += 1) play.enter(`s${stranger}/1`);
    play.enter('owner/1', { isKnown: true });
    await play.endAll();
    expect(play.begun.slice(0, 2)).toEqual(['s0/1', 'owner/1']);
    expect(play.begun).toHaveLength(5);
    expect(play.givenUp).toHaveLength(96);
  });

  it('gives up attempts of the caller with the most, and not a newcomer', async () => {
    const play = new Play(4);
    for (const attempt of ['x/1', 'a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'c/1']) play.enter(attempt);
    await play.endAll();
    expect(play.givenUp).toEqual(['a/4', 'a/3']);
    expect(play.begun).toEqual(['x/1', 'a/1', 'b/1', 'c/1', 'a/2']);
  });

  it('works on guesses of strangers for a quarter of the time, and on known browsers meanwhile', async () => {
    const play = new Play(10);
    for (const attempt of ['a/1', 'b/1']) play.enter(attempt);
    await setImmediate();
    play.pass(300);
    play.endOldest(true);
    play.enter('owner/1', { isKnown: true });
    await setImmediate();
    expect(play.begun).toEqual(['a/1', 'owner/1']);
    play.endOldest(true);
    play.pass(899);
    await setImmediate();
    expect(play.begun).toEqual(['a/1', 'owner/1']);
    play.pass(1);
    await setImmediate();
    expect(play.begun).toEqual(['a/1', 'owner/1', 'b/1']);
  });

  it('rests after no attempt that succeeds', async () => {
    const play = new Play(10);
    for (const attempt of ['a/1', 'b/1']) play.enter(attempt);
    await setImmediate();
    play.pass(300);
    play.endOldest(false);
    await setImmediate();
    expect(play.begun).toEqual(['a/1', 'b/1']);
  });

  it('ends each attempt once, works on one at a time, and stands still for nobody', async () => {
    const event = fc.oneof(
      fc.record({ caller: fc.constantFrom('a', 'b', 'c', 'd'), isKnown: fc.boolean() }),
      fc.constantFrom('end' as const, 'refuse' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const play = new Play(5);
        const entered: string[] = [];
        for (const [index, each] of events.entries()) {
          if (each === 'end' || each === 'refuse') {
            play.pass(10);
            play.endOldest(each === 'refuse');
          } else {
            const attempt = `${each.caller}/${index}`;
            entered.push(attempt);
            play.enter(attempt, { isKnown: each.isKnown });
          }
          await setImmediate();
          expect(play.working).toBeLessThanOrEqual(1);
        }
        play.pass(1_000);
        await play.endAll();
        expect([...play.begun, ...play.givenUp].toSorted()).toEqual(entered.toSorted());
      }),
    );
  });
});
