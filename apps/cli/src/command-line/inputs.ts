import type { ChoiceText, PlainText, Say } from '../texts/texts.ts';
import { filledOf, oneOf, orderNumberOf, type Read } from './option-values.ts';

/** An argument or option of a command, and the value that it gives. */
export interface Input<V = unknown> {
  /** `<id>`, `[id]`, `<paths...>`, `--tenant <id>`, `--confirm`. */
  readonly flags: string;
  /** Its line in the help; arguments have none. */
  readonly about: (say: Say) => string;
  readonly isRequired: boolean;
  /** @param given as commander gives it; undefined: it is not in the command line */
  readonly valueOf: (given: unknown, say: Say) => V;
}

export type Inputs = Readonly<Record<string, Input>>;
export type Given<I extends Inputs> = { readonly [K in keyof I]: I[K] extends Input<infer V> ? V : never };

export function option(flags: `--${string}>`, about: PlainText): Input<string | undefined>;
export function option<V>(flags: `--${string}>`, about: PlainText, read: Read<V>): Input<V | undefined>;
export function option(flags: `--${string}>`, about: PlainText, read?: Read<unknown>): Input {
  return { flags, about: (say) => say(about), isRequired: false, valueOf: valueOf(flags, read) };
}

export function required<V>(flags: `--${string}>`, about: PlainText, read: Read<V>): Input<V> {
  return { ...option(flags, about, read), isRequired: true } as Input<V>;
}

/** An option with a fixed set of values, which its text lists. */
export function choice<C extends string>(
  flags: `--${string}>`,
  about: ChoiceText,
  choices: readonly C[],
): Input<C | undefined> {
  const text = (say: Say): string => say(about, { choices: choices.join(', ') });
  return { flags, about: text, isRequired: false, valueOf: valueOf(flags, oneOf(choices)) };
}

/** True if the option is given; `--no-wait`: if it is not. */
export function flag(flags: `--${string}`, about: PlainText): Input<boolean> {
  return { flags, about: (say) => say(about), isRequired: false, valueOf: (given) => given === true };
}

/** An option or argument that may be repeated. */
export function several(flags: `${string}...>`, about?: PlainText): Input<readonly string[]> {
  const text = (say: Say): string => (about === undefined ? '' : say(about));
  return { flags, about: text, isRequired: false, valueOf: (given = []) => given as string[] };
}

export function argument(flags: `<${string}>`): Input<string>;
export function argument<V>(flags: `<${string}>`, read: Read<V>): Input<V>;
export function argument(flags: `<${string}>`, read?: Read<unknown>): Input {
  return { flags, about: () => '', isRequired: false, valueOf: valueOf(flags, read) };
}

export function optionalArgument(flags: `[${string}]`): Input<string | undefined> {
  return { flags, about: () => '', isRequired: false, valueOf: valueOf(flags) };
}

function valueOf<V = string>(flags: string, read: Read<V> = (text) => text as V): Input<V | undefined>['valueOf'] {
  const name = flags.split(' ', 1)[0] ?? flags;
  return (given, say) => (given === undefined ? undefined : read(given as string, name, say));
}

/** Inputs of several groups. */
export const TENANT = option('--tenant <id>', 'optTenant');
export const ONE_TENANT = required('--tenant <id>', 'optTenant', filledOf);
export const LIMIT = option('--limit <n>', 'optLimit');
export const BEFORE = option('--before <id>', 'optBefore');
export const BODY = flag('--body', 'optBody');
export const CONFIRM = flag('--confirm', 'optConfirm');
export const WAIT = flag('--no-wait', 'optNoWait');
export const NUMBER = argument('<number>', orderNumberOf);
