import type { KIT_PT } from './kit-pt-br.ts';
import type { SameKeys } from './same-keys.ts';

/** Texts of the kit in English. */
export const KIT_EN: SameKeys<typeof KIT_PT> = {
  frame: {
    navigation: 'Pages',
    menu: 'Menu',
    skip: 'Skip to the content',
    language: 'Language',
    loading: 'Loading…',
    slow: 'The answer takes long; the page goes on waiting.',
  },
  problem: {
    FORBIDDEN: 'Your access does not allow this.',
    NOT_FOUND: 'Not found.',
    other: 'The app answered with an error ({{code}}): {{message}}',
    retry: 'Try again',
  },
  text: {
    cut: '… cut: {{count}} characters in all',
    none: '—',
    copied: 'Copied.',
    notCopied: 'The browser did not allow it. Select the text and copy it by hand.',
  },
  dialog: { cancel: 'Cancel', working: 'Working…' },
};
