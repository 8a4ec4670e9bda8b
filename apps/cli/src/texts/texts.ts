import type { Language } from './language.ts';
import { EN } from './en.ts';
import { PT_BR } from './pt-br.ts';

type TextKey = keyof typeof PT_BR;
type Texts = Readonly<Record<TextKey, string>>;

/** Names in braces in a text. */
export type Hole<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Hole<Rest> : never;

/** Texts with these names in braces. */
type TextWith<Names> = {
  [K in TextKey]: [Hole<(typeof PT_BR)[K]>, Names] extends [Names, Hole<(typeof PT_BR)[K]>] ? K : never;
}[TextKey];
export type PlainText = TextWith<never>;
export type ChoiceText = TextWith<'choices'>;

/** Values of a text: none, or one for each of its names. */
type Fillings<K extends TextKey> = [Hole<(typeof PT_BR)[K]>] extends [never]
  ? []
  : [Readonly<Record<Hole<(typeof PT_BR)[K]>, string | number>>];

/** Returns a text of the catalog in one language. */
export type Say = <K extends TextKey>(key: K, ...fillings: Fillings<K>) => string;

const TEXTS: Readonly<Record<Language, Texts>> = { 'pt-BR': PT_BR, en: EN };

export function sayIn(language: Language): Say {
  return (key, ...[values]) =>
    TEXTS[language][key].replaceAll(/\{(\w+)\}/g, (hole, name: string) =>
      String((values as Readonly<Record<string, string | number>> | undefined)?.[name] ?? hole),
    );
}
