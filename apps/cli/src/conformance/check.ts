/** Verdict on one statement. */
export type Verdict =
  | { readonly kind: 'held' }
  | { readonly kind: 'failed'; readonly expected: string; readonly seen: string }
  | { readonly kind: 'skipped'; readonly why: string };

/** A statement, in the part of the document or contract that it is in. */
interface Statement {
  readonly section: string;
  readonly statement: string;
}

export interface Check extends Statement {
  readonly run: () => Verdict | Promise<Verdict>;
}

export interface CheckResult extends Statement {
  readonly verdict: Verdict;
  readonly seconds: number;
}

export const HELD: Verdict = { kind: 'held' };
export const failed = (expected: string, seen: string): Verdict => ({ kind: 'failed', expected, seen });
export const skipped = (why: string): Verdict => ({ kind: 'skipped', why });
