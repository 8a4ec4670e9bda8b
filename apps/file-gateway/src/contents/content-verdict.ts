import type { PdfFlaw } from './pdf-flaw.ts';

/** What a content is found to be: not what its first bytes say, that, or a PDF that a viewer may not show. */
export type ContentVerdict = 'broken' | 'whole' | PdfFlaw;

/** The answers of the decoder's process. */
export const VERDICT_BYTES = { broken: '0', whole: '1', damaged: 'd', encrypted: 'e' } as const satisfies Readonly<
  Record<ContentVerdict, string>
>;

/** Null for anything else. */
export function verdictOfByte(byte: string | null): ContentVerdict | null {
  const [verdict] = Object.entries(VERDICT_BYTES).find(([, known]) => known === byte) ?? [];
  return (verdict as ContentVerdict | undefined) ?? null;
}
