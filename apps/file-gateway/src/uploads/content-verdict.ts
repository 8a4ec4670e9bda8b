import type { PdfFlaw } from './pdf-flaw.ts';

/**
 * Verdict about a content: `broken`, `whole`, or a complete PDF with a flaw that may prevent viewers from showing
 * it.
 */
export type ContentVerdict = 'broken' | 'whole' | PdfFlaw;

/** Answers of the decoder process. */
export const VERDICT_BYTES = { broken: '0', whole: '1', damaged: 'd', encrypted: 'e' } as const satisfies Readonly<
  Record<ContentVerdict, string>
>;

/** Null for an unknown byte. */
export function verdictOfByte(byte: string | null): ContentVerdict | null {
  const [verdict] = Object.entries(VERDICT_BYTES).find(([, known]) => known === byte) ?? [];
  return (verdict as ContentVerdict | undefined) ?? null;
}
