import type { Evidence, Outcome } from '@gondola/shared/results/outcomes';

/** What an outcome means to an ERP, and what it does about it. */
export const OUTCOME_TEXTS: Readonly<Record<Outcome, string>> = {
  applied: 'It is so at the platform.',
  unchanged: 'Nothing was sent: it is so already.',
  invalid: 'Gondola stopped it, nothing was sent. Correct the record and send it again under another id.',
  refused: "The platform said no, or the order's state overtook it after it was sent.",
  superseded: 'A newer price, warehouse or stock value was sent instead.',
  withdrawn: 'A `WithdrawCommand` took it back before it was sent.',
  unconfirmed: 'It was sent, and the platform was silent to the end. A `corrected` may follow.',
  corrected: 'An earlier `unconfirmed`, or `applied` that was presumed, was another outcome: `correctedOutcome`.',
  waiting: 'It waits for the references in `for`. Not final.',
};

/** What an outcome rests on. */
export const EVIDENCE_TEXTS: Readonly<Record<Evidence, string>> = {
  event: 'A notification of the platform said so.',
  'read-back': 'It was read at the platform.',
  'already-in-state': 'It was so before anything was sent.',
  presumed: 'The platform accepted it and reported no failure in time; a `corrected` may follow.',
  none: 'Nothing: it was not sent, or there was no word of it.',
};
