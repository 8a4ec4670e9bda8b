import type { Say } from '../texts/texts.ts';

/** The command line or the environment is wrong; the message is a full sentence. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

const DEFAULT_LIMIT = 50;
const MOST_ENTRIES = 10_000;

/**
 * Converts an option's text to the value that commands use. Each function here throws `WrongUsage` with a sentence
 * that names the option.
 */
export function limitOf(text: string | undefined, say: Say): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_ENTRIES)
    throw new WrongUsage(say('notALimit', { option: '--limit', value: text, most: MOST_ENTRIES }));
  return limit;
}

export function orderNumberOf<T extends string | undefined>(text: T, say: Say, option = '--order'): T {
  if (text !== undefined && !/^[1-9]\d{0,14}$/.test(text))
    throw new WrongUsage(say('notAnOrderNumber', { option, value: text }));
  return text;
}

/** Accepts a plausible e-mail; the sentence does not repeat it, because it is personal. */
export function emailOf(text: string, say: Say): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new WrongUsage(say('notAnEmail', { option: '--email' }));
  return text;
}

/** A whole number as text for a query. */
export function wholeOf(option: string, text: string | undefined, say: Say): string | undefined {
  if (text !== undefined && !/^\d{1,9}$/.test(text)) throw new WrongUsage(say('notWhole', { option, value: text }));
  return text;
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90m`, `2h` or `3d` in milliseconds, as text for a query. */
export function durationMsOf(option: string, text: string | undefined, say: Say): string | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (unit === '') throw new WrongUsage(say('notADuration', { option, value: text }));
  return String(Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
}

export function choiceOf<C extends string>(
  option: string,
  text: string | undefined,
  choices: readonly C[],
  say: Say,
): C | undefined {
  const choice = choices.find((each) => each === text);
  if (text !== undefined && choice === undefined)
    throw new WrongUsage(say('notAChoice', { option, value: text, choices: choices.join(', ') }));
  return choice;
}

/** Accepts any http or https address; the app decides whether the webhook can be registered with it. */
export function webhookUrlOf(text: string, say: Say): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new WrongUsage(say('notAnUrl', { option: '--url', value: text }));
  return text;
}

export function filledOf(option: string, text: string, say: Say): string {
  if (text.trim() === '') throw new WrongUsage(say('empty', { option }));
  return text;
}
