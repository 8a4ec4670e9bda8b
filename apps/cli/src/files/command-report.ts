import { type Explanation, explainFailure } from '../operations-api/explain-failure.ts';
import { type ApiFailure, type Entry, isEntry } from '../operations-api/operations-api.ts';
import { EXIT, type ExitCode } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/** What became of a command: its result, or that it is open still. */
export type CommandEnd =
  | { readonly kind: 'ended'; readonly outcome: string; readonly result: Entry }
  | { readonly kind: 'open' };

/** The outcome of a command as a row of a table, a part of a document, and an exit code. */
export interface CommandOutcome {
  /** Null: it is open still, or was not given. */
  readonly outcome: string | null;
  /** Why it is not as was asked. */
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
