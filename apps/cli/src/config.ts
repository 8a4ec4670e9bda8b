import type { Say } from './texts/texts.ts';
import { WrongUsage } from './command-line/option-values.ts';
import { type Environment, secretOf } from './command-line/secrets.adapter.ts';

export interface Config {
  /** Null: none is set. */
  readonly token: string | null;
  /** Upload token of one tenant, for `/uploads`. Null: none is set. */
  readonly uploadToken: string | null;
  readonly readMs: number;
  readonly changeMs: number;
}

/**
 * Time-outs: an app reads from its own database, but a change may include a call to the platform, which takes up to
 * 30 s.
 */
const READ_MS = 10_000;
const CHANGE_MS = 60_000;
const LONGEST_MS = 600_000;

/** Reads the environment. Throws `WrongUsage`, whose sentence never contains a token. */
export async function loadConfig(env: Environment, say: Say): Promise<Config> {
  const timeoutMs = timeoutOf(env['GONDOLA_TIMEOUT_MS'], say);
  return {
    token: await secretOf(env, 'OPERATIONS_TOKEN', say),
    uploadToken: await secretOf(env, 'GONDOLA_UPLOAD_TOKEN', say),
    readMs: timeoutMs ?? READ_MS,
    changeMs: timeoutMs ?? CHANGE_MS,
  };
}

function timeoutOf(text: string | undefined, say: Say): number | null {
  if (text === undefined || text === '') return null;
  const ms = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (ms < 1 || ms > LONGEST_MS) throw new WrongUsage(say('notATimeout', { value: text, most: LONGEST_MS }));
  return ms;
}
