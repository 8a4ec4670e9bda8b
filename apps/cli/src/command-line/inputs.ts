import { filled, type Say, type Words } from '../texts/texts.ts';
import { type AppOf, appsOf, type RouteName } from '../operations-api/requests.ts';
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

export function option(flags: `--${string}>`, about: Words): Input<string | undefined>;
export function option<V>(flags: `--${string}>`, about: Words, read: Read<V>): Input<V | undefined>;
export function option(flags: `--${string}>`, about: Words, read?: Read<unknown>): Input {
  return { flags, about: (say) => say(about), isRequired: false, valueOf: valueOf(flags, read) };
}

export function required<V>(flags: `--${string}>`, about: Words, read: Read<V>): Input<V> {
  return mandatory(option(flags, about, read));
}

/** An option that has to be given. */
export function mandatory<V>(input: Input<V | undefined>): Input<V> {
  return { ...input, isRequired: true } as Input<V>;
}

/** An option with a fixed set of values, which its text lists. */
export function choice<C extends string>(
  flags: `--${string}>`,
  about: Words,
  choices: readonly C[],
): Input<C | undefined> {
  const text = (say: Say): string => filled(say(about), () => choices.join(', '));
  return { flags, about: text, isRequired: false, valueOf: valueOf(flags, oneOf(choices)) };
}

/** True if the option is given; `--no-wait`: if it is not. */
export function flag(flags: `--${string}`, about: Words): Input<boolean> {
  return { flags, about: (say) => say(about), isRequired: false, valueOf: (given) => given === true };
}

/** An option or argument that may be repeated. */
export function several(flags: `${string}...>`, about?: Words): Input<readonly string[]> {
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

const APP_WORDS = { pt: 'aplicativo: {choices}', en: 'app: {choices}' };

/** `--app`: one of the apps that have a route. */
export function appOf<R extends RouteName>(
  route: R,
  apps: readonly AppOf<R>[] = appsOf(route),
): Input<AppOf<R> | undefined> {
  return choice('--app <app>', APP_WORDS, apps);
}

/** Inputs of several groups. */
export const TENANT = option('--tenant <id>', { pt: 'tenant', en: 'tenant' });
export const ONE_TENANT = required('--tenant <id>', { pt: 'tenant', en: 'tenant' }, filledOf);
export const LIMIT = option('--limit <n>', {
  pt: 'número máximo de entradas (padrão 50)',
  en: 'largest number of entries (default 50)',
});
export const BEFORE = option('--before <id>', { pt: 'só as anteriores a este id', en: 'only those before this id' });
export const BODY = flag('--body', {
  pt: 'mostra também o conteúdo, que pode ter dados pessoais',
  en: 'also shows the content, which may hold personal data',
});
export const CONFIRM = flag('--confirm', {
  pt: 'executa a mudança; sem esta opção, nada muda',
  en: 'carries the change out; without it nothing changes',
});
export const WAIT = flag('--no-wait', {
  pt: 'não espera pelo fim; o aplicativo continua sozinho',
  en: 'does not wait for the end; the app continues by itself',
});
export const NUMBER = argument('<number>', orderNumberOf);
