import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Session } from '../command-line/command.ts';
import { type ApiFailure, type Entry, isEntry } from '../operations-api/operations-api.ts';
import { requestTo } from '../operations-api/requests.ts';
import { type Explanation, explainFailure } from '../output/explain-failure.ts';
import { EXIT, type ExitCode } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

const FIRST_LOOK_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const GOOD = ['applied', 'unchanged'];

/** A command that file-gateway has accepted. */
export interface GivenCommand {
  readonly kind: 'given';
  readonly commandId: string;
}

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

/** Gives a file command of the contract with a new id. */
export async function giveCommand(
  { api }: Session,
  tenant: string | undefined,
  command: Entry,
): Promise<GivenCommand | ApiFailure> {
  const commandId = `cli-${randomUUID()}`;
  const result = await api.call(requestTo('files/give', { commandId, ...command, tenant }));
  return result.kind === 'answer' ? { kind: 'given', commandId } : result;
}

/** Reads a command's state until it is concluded or the time is over. */
export async function waitForCommand(
  { api }: Session,
  tenant: string | undefined,
  { commandId }: GivenCommand,
  untilMs: number,
): Promise<CommandEnd | ApiFailure> {
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const found = await api.call(requestTo('files/outcome', { commandId, tenant }));
    // Its record may not be consumed yet.
    const isUnknown = found.kind === 'refused' && found.status === 404;
    if (found.kind !== 'answer' && !isUnknown) return found;
    const { outcome, result } = found.kind === 'answer' ? found.body : {};
    if (typeof outcome === 'string') return { kind: 'ended', outcome, result: isEntry(result) ? result : {} };
    const leftMs = untilMs - Date.now();
    if (leftMs <= 0) return { kind: 'open' };
    await setTimeout(Math.min(pauseMs, leftMs));
  }
}

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
