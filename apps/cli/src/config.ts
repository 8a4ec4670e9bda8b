import { readFile } from 'node:fs/promises';
import type { Say } from './texts/texts.ts';
import { WrongUsage } from './command-line/option-values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

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
    token: await tokenOf(env, 'OPERATIONS_TOKEN', say),
    uploadToken: await tokenOf(env, 'GONDOLA_UPLOAD_TOKEN', say),
    readMs: timeoutMs ?? READ_MS,
    changeMs: timeoutMs ?? CHANGE_MS,
  };
}

/** Token in the variable, or in the file that the variable with `_FILE` names. */
async function tokenOf(env: Environment, variable: string, say: Say): Promise<string | null> {
  const { [variable]: token = '', [`${variable}_FILE`]: file = '' } = env;
  if (token !== '' && file !== '') throw new WrongUsage(say('tokenTwice', { variable }));
  if (file === '') return token === '' ? null : usable(token, variable, say);
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrongUsage(say('tokenUnreadable', { variable, code: error.code ?? '-' }));
  });
  return usable(content.trimEnd(), `${variable}_FILE`, say);
}

/** Accepts only tokens that a `Bearer` header can hold. */
function usable(token: string, source: string, say: Say): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new WrongUsage(say('tokenNotUsable', { source }));
  return token;
}

function timeoutOf(text: string | undefined, say: Say): number | null {
  if (text === undefined || text === '') return null;
  const ms = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (ms < 1 || ms > LONGEST_MS) throw new WrongUsage(say('notATimeout', { value: text, most: LONGEST_MS }));
  return ms;
}
