/** What a command can end in (contract, "Results"): each command in exactly one of these, for ever. */
export const FINAL_OUTCOMES = [
  'applied',
  'unchanged',
  'invalid',
  'refused',
  'superseded',
  'withdrawn',
  'unconfirmed',
] as const;

export type FinalOutcome = (typeof FINAL_OUTCOMES)[number];

/** What a result record can say: an end, its one correction, or that references are waited for. */
export const OUTCOMES = [...FINAL_OUTCOMES, 'corrected', 'waiting'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** What an outcome is known by. */
export const EVIDENCES = ['event', 'read-back', 'already-in-state', 'presumed', 'none'] as const;

export type Evidence = (typeof EVIDENCES)[number];
