import { setTimeout as delay } from 'node:timers/promises';
import type { Merchant } from '../../src/testing/shop.ts';
import { outcomeOf, type Call } from './ledger.ts';

/** A call that has no answer after so long is given up; some delays are made to last longer. */
const GIVEN_UP_MS = 2_000;
const FIRST_PAUSE_MS = 20;
const MOST_READS = 200;

interface Answer {
  /** Null when none came. */
  readonly status: number | null;
  readonly text: string;
  /** Milliseconds after which the platform wants to be called again; 0 where it did not say. */
  readonly retryAfterMs: number;
}

/** The platform's HTTP as a merchant's client sees it: impatient, and writing every change down. */
export class Client {
  readonly calls: Call[] = [];
  private readonly merchant: Merchant;
  private readonly baseUrl: () => string;

  constructor(merchant: Merchant, baseUrl: () => string) {
    this.merchant = merchant;
    this.baseUrl = baseUrl;
  }

  /** Makes a change once. Returns its operation id where the answer told one. */
  async change(key: string, method: string, path: string, body: unknown): Promise<Call> {
    const { status, text, retryAfterMs } = await this.once(method, path, body);
    const outcome = outcomeOf(status);
    const call: Call = { key, outcome, operationId: status === 200 ? operationIdIn(text) : null };
    this.calls.push(call);
    if (outcome === 'not-accepted') await delay(Math.max(FIRST_PAUSE_MS, retryAfterMs));
    return call;
  }

  /** Reads until there is an answer that says something: 200, or 404 (undefined). */
  async read(path: string): Promise<string | undefined> {
    for (let attempt = 1; attempt <= MOST_READS; attempt += 1) {
      const { status, text, retryAfterMs } = await this.once('GET', path, undefined);
      if (status === 200) return text;
      if (status === 404) return undefined;
      await delay(Math.max(retryAfterMs, Math.min(FIRST_PAUSE_MS * attempt, 500)));
    }
    throw new Error(`GET ${path} was never answered`);
  }

  private async once(method: string, path: string, body: unknown): Promise<Answer> {
    const isForm = body instanceof FormData;
    const headers = { ...this.merchant.headers, ...(!isForm && { 'content-type': 'application/json' }) };
    const payload = isForm ? body : body === undefined ? null : JSON.stringify(body);
    try {
      const signal = AbortSignal.timeout(GIVEN_UP_MS);
      const response = await fetch(`${this.baseUrl()}${path}`, { method, headers, body: payload, signal });
      const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1_000;
      return { status: response.status, text: await response.text(), retryAfterMs };
    } catch {
      return { status: null, text: '', retryAfterMs: 0 };
    }
  }
}

function operationIdIn(text: string): string | null {
  const answer = JSON.parse(text) as string | { operationId?: string; transactionId?: string };
  return typeof answer === 'string' ? answer : (answer.operationId ?? answer.transactionId ?? null);
}
