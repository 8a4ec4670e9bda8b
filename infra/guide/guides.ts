import { readFile } from 'node:fs/promises';
import { guidePage } from './guide-page.ts';

const DOCS = new URL('../../docs/', import.meta.url);

/** The guide in each language, and the generated page. */
export const GUIDES = [
  { language: 'en', markdown: new URL('erp-guide.md', DOCS), page: new URL('erp-guide.html', DOCS) },
  { language: 'pt-BR', markdown: new URL('pt-BR/guia-erp.md', DOCS), page: new URL('pt-BR/guia-erp.html', DOCS) },
] as const;

export async function pageOf({ markdown, language }: (typeof GUIDES)[number]): Promise<string> {
  return guidePage(await readFile(markdown, 'utf8'), language);
}
