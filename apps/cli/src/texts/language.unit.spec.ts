import { describe, expect, it } from '@jest/globals';
import { chooseLanguage, type Locale } from './language.ts';

describe('chooseLanguage', () => {
  it.each<[string[], Locale, string]>([
    [[], {}, 'pt-BR'],
    [[], { LANG: 'en_US.UTF-8' }, 'en'],
    [[], { LANG: 'en' }, 'en'],
    [[], { LANG: 'pt_BR.UTF-8' }, 'pt-BR'],
    [[], { LANG: 'en_US.UTF-8', LC_ALL: 'pt_BR.UTF-8' }, 'pt-BR'],
    [[], { LANG: 'pt_BR.UTF-8', LC_ALL: 'en_GB.UTF-8' }, 'en'],
    [[], { LANG: 'en_US.UTF-8', LC_ALL: '' }, 'en'],
    [[], { LANG: 'C.UTF-8' }, 'pt-BR'],
    [[], { LANG: 'eng' }, 'pt-BR'],
    [['--lang', 'en'], { LANG: 'pt_BR.UTF-8' }, 'en'],
    [['webhook', 'status', '--lang=pt-BR'], { LANG: 'en_US.UTF-8' }, 'pt-BR'],
    [['--lang', 'fr'], { LANG: 'en_US.UTF-8' }, 'en'],
    [['--lang'], {}, 'pt-BR'],
  ])('%j with %j speaks %s', (args, locale, language) => {
    expect(chooseLanguage(args, locale)).toBe(language);
  });
});
