export const LANGUAGES = ['pt-BR', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Environment variables that choose the language. */
export interface Locale {
  readonly LC_ALL?: string | undefined;
  readonly LANG?: string | undefined;
}

/**
 * Language of the texts: `--lang` anywhere in the arguments, else `LC_ALL`, else `LANG`, else Portuguese. It is
 * chosen before the arguments are parsed, because parsing errors are written in it; the parser refuses an unknown
 * `--lang`.
 */
export function chooseLanguage(args: readonly string[], locale: Locale): Language {
  const asked = LANGUAGES.find((language) => language === langOption(args));
  return asked ?? spokenIn(locale.LC_ALL || locale.LANG || '');
}

function langOption(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === '--lang' || arg.startsWith('--lang='));
  return args[at] === '--lang' ? args[at + 1] : args[at]?.slice('--lang='.length);
}

function spokenIn(locale: string): Language {
  return /^en(?![a-z])/i.test(locale) ? 'en' : 'pt-BR';
}
