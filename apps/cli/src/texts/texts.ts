import type { Language } from './language.ts';
import { EN } from './en.ts';
import { PT_BR } from './pt-br.ts';

type TextKey = keyof typeof PT_BR;
type Texts = Readonly<Record<TextKey, string>>;

/** A text that only one command has, beside it. */
export interface Words {
  readonly pt: string;
  readonly en: string;
}

/** Names in braces in a text. */
export type Hole<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Hole<Rest> : never;

/** Compiles only for words with the same names in braces in both languages. */
export type SameNames<W extends Words> = [Hole<W['pt']>, Hole<W['en']>] extends [Hole<W['en']>, Hole<W['pt']>]
  ? W
  : never;

/** Texts without names in braces. */
export type PlainText = {
  [K in TextKey]: [Hole<(typeof PT_BR)[K]>] extends [never] ? K : never;
}[TextKey];

/** Values of a text of the catalog: none, or one for each of its names. */
type Fillings<T> = T extends TextKey
  ? [Hole<(typeof PT_BR)[T]>] extends [never]
    ? []
    : [Readonly<Record<Hole<(typeof PT_BR)[T]>, string | number>>]
  : [];

/** Returns a text in one language: one of the catalog, or the words of a command. */
export type Say = <T extends TextKey | Words>(text: T, ...fillings: Fillings<T>) => string;

const CATALOGS: Readonly<Record<Language, Texts>> = { 'pt-BR': PT_BR, en: EN };

export function sayIn(language: Language): Say {
  return (text: TextKey | Words, ...[values]: [Readonly<Record<string, string | number>>?]) =>
    filled(
      typeof text === 'string' ? CATALOGS[language][text] : text[language === 'en' ? 'en' : 'pt'],
      (name) => values?.[name],
    );
}

/** Puts values in place of the names in braces; a name without a value stays. */
export function filled(text: string, valueOf: (name: string) => string | number | undefined): string {
  return text.replaceAll(/\{(\w+)\}/g, (hole, name: string) => String(valueOf(name) ?? hole));
}
