/** Final outcomes of a command (contract, "Results"): each command has exactly one, and it never changes. */
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

/** Outcomes of a result record: a final one, its one correction, or waiting for references. */
export const OUTCOMES = [...FINAL_OUTCOMES, 'corrected', 'waiting'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Kinds of evidence for an outcome. */
export const EVIDENCES = ['event', 'read-back', 'already-in-state', 'presumed', 'none'] as const;

export type Evidence = (typeof EVIDENCES)[number];
