import { type Explanation, explainFailure } from '../output/explain-failure.ts';
import { type ApiFailure, type Entry, isEntry } from '../operations-api/operations-api.ts';
import { EXIT, type ExitCode } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/** State of a command: its result, or still open. */
export type CommandEnd =
  | { readonly kind: 'ended'; readonly outcome: string; readonly result: Entry }
  | { readonly kind: 'open' };

/** Outcome of a command for a table row, a document and an exit code. */
export interface CommandOutcome {
  /** Null: still open, or not given. */
  readonly outcome: string | null;
  /** Reason why the outcome is not the requested one. */
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly exit: ExitCode;
}

const GOOD = ['applied', 'unchanged'];

export function commandOutcome(end: CommandEnd | ApiFailure, say: Say): CommandOutcome {
  if (end.kind === 'open') {
    const reason = { code: 'OPEN', message: say('commandOpen') };
    return { outcome: null, reason, exit: EXIT.unreachable };
  }
  if (end.kind !== 'ended') return failedOutcome(explainFailure(end, say));
  const { outcome, result } = end;
  return { outcome, reason: reasonOf(result), exit: GOOD.includes(outcome) ? EXIT.done : EXIT.failed };
}

export function failedOutcome({ code, message, exit }: Explanation): CommandOutcome {
  return { outcome: null, reason: { code, message }, exit };
}

function reasonOf({ reason }: Entry): CommandOutcome['reason'] {
  if (!isEntry(reason)) return null;
  const { code, message } = reason;
  return { code: String(code), message: String(message) };
}
