import { readFile } from 'node:fs/promises';
import type { Say } from '../texts/texts.ts';
import { WrongUsage } from './option-values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Secret in the variable, or in the file that the variable with `_FILE` names; null: neither is set. */
export async function secretOf(env: Environment, variable: string, say: Say): Promise<string | null> {
  const { [variable]: token = '', [`${variable}_FILE`]: file = '' } = env;
  if (token !== '' && file !== '') throw new WrongUsage(say('tokenTwice', { variable }));
  if (file === '') return token === '' ? null : usable(token, variable, say);
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrongUsage(say('tokenUnreadable', { variable, code: error.code ?? '-' }));
  });
  return usable(content.trimEnd(), `${variable}_FILE`, say);
}

/** The same of a secret that has to be set. */
export async function neededSecret(env: Environment, variable: string, say: Say): Promise<string> {
  const secret = await secretOf(env, variable, say);
  if (secret === null) throw new WrongUsage(say('secretMissing', { variable }));
  return secret;
}

/** Accepts only tokens that a `Bearer` header can hold. */
function usable(token: string, source: string, say: Say): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new WrongUsage(say('tokenNotUsable', { source }));
  return token;
}
