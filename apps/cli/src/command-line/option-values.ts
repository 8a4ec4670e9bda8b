import type { Say } from '../texts/texts.ts';

/** The command line or the environment is wrong; the message is a full sentence. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/**
 * Converts the text of an option or argument to the value that commands use. Throws `WrongUsage` with a sentence
 * that names it.
 */
export type Read<V> = (text: string, name: string, say: Say) => V;

const DEFAULT_LIMIT = 50;
const MOST_ENTRIES = 10_000;

/** Reads `--limit` where a list is asked for: beside the id of one entry it has no meaning. */
export function limitOf(text: string | undefined, say: Say): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_ENTRIES)
    throw new WrongUsage(say('notALimit', { option: '--limit', value: text, most: MOST_ENTRIES }));
  return limit;
}

export const orderNumberOf: Read<string> = (text, option, say) => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new WrongUsage(say('notAnOrderNumber', { option, value: text }));
  return text;
};

/** Accepts a plausible e-mail; the sentence does not repeat it, because it is personal. */
export const emailOf: Read<string> = (text, option, say) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new WrongUsage(say('notAnEmail', { option }));
  return text;
};

/** A whole number as text. */
export const wholeOf: Read<string> = (text, option, say) => {
  if (!/^\d{1,9}$/.test(text)) throw new WrongUsage(say('notWhole', { option, value: text }));
  return text;
};

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30s`, `90m`, `2h` or `3d` in milliseconds. */
export const durationMsOf: Read<number> = (text, option, say) => {
  const [, count = '', unit = ''] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
  if (unit === '') throw new WrongUsage(say('notADuration', { option, value: text }));
  return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
};

export function oneOf<C extends string>(choices: readonly C[]): Read<C> {
  return (text, option, say) => {
    const choice = choices.find((each) => each === text);
    if (choice === undefined)
      throw new WrongUsage(say('notAChoice', { option, value: text, choices: choices.join(', ') }));
    return choice;
  };
}

/** Accepts any http or https address; the app decides whether the webhook can be registered with it. */
export const webhookUrlOf: Read<string> = (text, option, say) => {
  if (!URL.canParse(text) || !/^https?:/i.test(text)) throw new WrongUsage(say('notAnUrl', { option, value: text }));
  return text;
};

export const filledOf: Read<string> = (text, option, say) => {
  if (text.trim() === '') throw new WrongUsage(say('empty', { option }));
  return text;
};

/** An id names one entry: filters beside it are refused. */
export function refuseBesideId(filters: object, say: Say): void {
  const [filter] = Object.entries(filters).find(([, value]) => value !== undefined) ?? [];
  if (filter !== undefined) throw new WrongUsage(say('idWithFilters', { option: `--${filter}` }));
}
