import type { KIT_PT } from './kit-pt-br.ts';

type KitTexts = typeof KIT_PT;

// The kit alone, without a page; no page includes this file.
declare module './i18n.ts' {
  interface PageTexts extends KitTexts {
    appName: string;
  }
}
