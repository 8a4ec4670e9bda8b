import type { CommandProgress } from '../commands/command-progress.ts';

/** What an open command waits for, in the words of the operations API. */
export type Awaited =
  /** Its lane's turn. */
  | { readonly for: 'turn' }
  /** The command before it (rule 19). */
  | { readonly for: 'earlier-command'; readonly commandId: string }
  /** The platform cannot be called: `cause` is `credentials`, `throttled`, `connection-refused`, `paused` … */
  | { readonly for: 'platform-available'; readonly cause: string }
  /** The file gateway's answer about the invoice's PDF: whether it can be attached, or that it is. */
  | { readonly for: 'pdf' }
  /** The platform's outcome, until the deadline. */
  | { readonly for: 'outcome' }
  /** A reading of the status, since an answer was lost or a refusal is to be checked. */
  | { readonly for: 'reading' };

export function awaitedBy(progress: CommandProgress, earlierCommandId: string | null): Awaited {
  if (earlierCommandId !== null) return { for: 'earlier-command', commandId: earlierCommandId };
  if (progress.blocked !== null) return { for: 'platform-available', cause: progress.blocked };
  const isChecking = progress.pdfCheckAsked !== null && progress.sendings.length === 0;
  if ((isChecking || progress.pdfAsked !== null) && progress.read === null) return { for: 'pdf' };
  const answer = progress.sendings.at(-1)?.answer;
  if (answer === undefined) return { for: 'turn' };
  return { for: answer.kind === 'accepted' ? 'outcome' : 'reading' };
}
