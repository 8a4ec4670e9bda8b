import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Session } from '../command-line/task.ts';
import { type ApiFailure, type Entry, isEntry } from '../operations-api/operations-api.ts';
import type { CommandEnd } from './command-report.ts';

const APP = 'file-gateway';
const FIRST_LOOK_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** A command that file-gateway has accepted. */
export interface GivenCommand {
  readonly kind: 'given';
  readonly commandId: string;
}

/** Gives a file command of the contract with a new id. */
export async function giveCommand(
  { api }: Session,
  tenant: string | undefined,
  command: Entry,
): Promise<GivenCommand | ApiFailure> {
  const commandId = `cli-${randomUUID()}`;
  const body = { commandId, ...command, ...(tenant !== undefined && { tenant }) };
  const result = await api.call({ app: APP, method: 'POST', path: '/api/commands', body });
  return result.kind === 'answer' ? { kind: 'given', commandId } : result;
}

/** Reads a command's state until it is concluded or the time is over. */
export async function waitForCommand(
  { api }: Session,
  tenant: string | undefined,
  { commandId }: GivenCommand,
  untilMs: number,
): Promise<CommandEnd | ApiFailure> {
  const path = `/api/commands/${encodeURIComponent(commandId)}`;
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const found = await api.call({ app: APP, method: 'GET', path, query: { tenant } });
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
