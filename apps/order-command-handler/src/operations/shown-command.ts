import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { type CommandProgress, progressFromText } from '../commands/command-progress.ts';

/** Stored fields of an open command. */
export interface StoredCommand {
  readonly commandId: string;
  readonly command: string;
  readonly queue: string;
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly firstSentAt: string | null;
  readonly deadlineAt: string | null;
  readonly progress: string | null;
}

/** An open command for operators. */
export interface ShownCommand extends Pick<
  StoredCommand,
  'commandId' | 'command' | 'receivedAt' | 'firstSentAt' | 'deadlineAt'
> {
  readonly attempts: number;
  readonly operationIds: readonly string[];
  readonly waits: Awaited;
}

/** Reason why an open command waits, in the words of the operations API. */
type Awaited =
  /** The next step of its lane. */
  | { readonly for: 'turn' }
  /** An earlier command of the same queue (rule 19). */
  | { readonly for: 'earlier-command'; readonly commandId: string }
  /** The platform cannot be called: `cause` is `credentials`, `throttled`, `connection-refused`, `paused` … */
  | { readonly for: 'platform-available'; readonly cause: string }
  /** Answer of file-gateway about the check or the upload of the invoice's PDF. */
  | { readonly for: 'pdf' }
  /** The platform's outcome, until the deadline. */
  | { readonly for: 'outcome' }
  /** A read of the status after a lost answer or a refusal. */
  | { readonly for: 'reading' };

/** An open command with the reason why it waits; `earlier` are the earlier open commands of its order. */
export function shownCommand(open: StoredCommand, earlier: readonly StoredCommand[]): ShownCommand {
  const { commandId, command, queue, receivedAt, firstSentAt, deadlineAt } = open;
  const progress = progressFromText(open.progress);
  const before = earlier.findLast((other) => other.queue === queue);
  const waits = awaitedBy(progress, before?.commandId ?? null);
  const operationIds = operationIdsOf(progress);
  const attempts = progress.attempts.length;
  return { commandId, command, receivedAt, attempts, firstSentAt, deadlineAt, operationIds, waits };
}

function awaitedBy(progress: CommandProgress, earlierCommandId: string | null): Awaited {
  if (earlierCommandId !== null) return { for: 'earlier-command', commandId: earlierCommandId };
  if (progress.blocked !== null) return { for: 'platform-available', cause: progress.blocked };
  const isChecking = progress.pdfCheckAsked !== null && progress.attempts.length === 0;
  if ((isChecking || progress.pdfAsked !== null) && progress.read === null) return { for: 'pdf' };
  const answer = progress.attempts.at(-1)?.answer;
  if (answer === undefined) return { for: 'turn' };
  return { for: answer.kind === 'accepted' ? 'outcome' : 'reading' };
}
