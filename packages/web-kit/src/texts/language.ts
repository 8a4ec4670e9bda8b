export const LANGUAGES = ['pt-BR', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that the operator chose, else the first of the browser's that the page has, else Portuguese. */
export function firstLanguage(stored: string | null, browser: readonly string[]): Language {
  const chosen = LANGUAGES.find((language) => language === stored);
  const spoken = browser.map((tag) => LANGUAGES.find((language) => tag.slice(0, 2) === language.slice(0, 2)));
  return chosen ?? spoken.find((language) => language !== undefined) ?? 'pt-BR';
}
