import { setTimeout as delay } from 'node:timers/promises';
import type { Merchant } from '../support/shop.ts';
import type { Dice } from './dice.ts';
import { outcomeOf, type Call } from './ledger.ts';

/** Share of calls whose answer nobody waits for; the dice choose them, not the machine's speed. */
const GIVEN_UP_SHARE = 0.02;
const GIVEN_UP_MS = 25;
/** All other calls wait for their answer, however slow the machine is. */
const PATIENCE_MS = 120_000;
const FIRST_PAUSE_MS = 20;
const MOST_READS = 200;

export interface ClientOptions {
  readonly merchant: Merchant;
  readonly dice: Dice;
  readonly baseUrl: () => string;
  /** Waits until the platform runs, so that no call is wasted. */
  readonly isUp: () => Promise<unknown>;
}

interface Answer {
  /** Null without an answer. */
  readonly status: number | null;
  readonly text: string;
  /** Milliseconds after which the platform allows the next call; 0 if it named none. */
  readonly retryAfterMs: number;
}

/** A merchant's client of the platform, which is sometimes impatient and records every change. */
export class Client {
  readonly calls: Call[] = [];
  /** Number of calls, including reads. */
  made = 0;
  private readonly options: ClientOptions;
  private gaveUpAt = Number.NEGATIVE_INFINITY;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /** Makes a change once. Returns its operation id if the answer holds one. */
  async change(key: string, method: string, path: string, body: unknown): Promise<Call> {
    const { status, text, retryAfterMs } = await this.once(method, path, body);
    const outcome = outcomeOf(status);
    const call: Call = { key, outcome, operationId: status === 200 ? operationIdIn(text) : null };
    this.calls.push(call);
    if (outcome === 'not-accepted') await delay(Math.max(FIRST_PAUSE_MS, retryAfterMs));
    return call;
  }

  /** Reads until the answer is 200 or 404 (undefined). */
  async read(path: string): Promise<string | undefined> {
    for (let attempt = 1; attempt <= MOST_READS; attempt += 1) {
      const { status, text, retryAfterMs } = await this.once('GET', path, undefined);
      if (status === 200) return text;
      if (status === 404) return undefined;
      await delay(Math.max(retryAfterMs, Math.min(FIRST_PAUSE_MS * attempt, 500)));
    }
    throw new Error(`GET ${path} was never answered`);
  }

  /** Waits until `ms` after the last call that was given up, because the platform may still accept it. */
  async afterGivenUp(ms: number): Promise<void> {
    await delay(Math.max(0, this.gaveUpAt + ms - performance.now()));
  }

  private async once(method: string, path: string, body: unknown): Promise<Answer> {
    const isForm = body instanceof FormData;
    const { merchant, dice, baseUrl, isUp } = this.options;
    const headers = { ...merchant.headers, ...(!isForm && { 'content-type': 'application/json' }) };
    const payload = isForm ? body : body === undefined ? null : JSON.stringify(body);
    await isUp();
    this.made += 1;
    const isGivenUp = dice(`call ${this.made}: given up`) < GIVEN_UP_SHARE;
    try {
      const signal = AbortSignal.timeout(isGivenUp ? GIVEN_UP_MS : PATIENCE_MS);
      const response = await fetch(`${baseUrl()}${path}`, { method, headers, body: payload, signal });
      const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1_000;
      return { status: response.status, text: await response.text(), retryAfterMs };
    } catch {
      if (isGivenUp) this.gaveUpAt = performance.now();
      return { status: null, text: '', retryAfterMs: 0 };
    }
  }
}

function operationIdIn(text: string): string | null {
  const answer = JSON.parse(text) as string | { operationId?: string; transactionId?: string };
  return typeof answer === 'string' ? answer : (answer.operationId ?? answer.transactionId ?? null);
}
