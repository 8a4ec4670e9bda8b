import { z } from 'zod';
import { PDF_FLAWS, type PdfFlaw } from './pdf-flaw.ts';

/** Verdict about a content that a command may hold: `whole`, or a PDF with a flaw for which viewers may not show it. */
type GoodVerdict = 'whole' | PdfFlaw;

/** Verdict as it is stored; why a content is `broken` is found by judging it again. */
export type ContentVerdict = 'broken' | GoodVerdict;

/** Something that a content is besides its media type. */
const ALSO = ['archive', 'pdf', 'page', 'program'] as const;

const fault = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cut-off') }),
  z.object({ kind: z.literal('damaged') }),
  z.object({ kind: z.literal('mixed'), also: z.enum(ALSO) }),
  z.object({ kind: z.literal('pixels'), width: z.int(), height: z.int(), limit: z.int() }),
  z.object({ kind: z.literal('bytes'), width: z.int(), height: z.int(), bytes: z.int(), limit: z.int() }),
  z.object({ kind: z.literal('memory'), limit: z.int() }),
  z.object({ kind: z.literal('time'), limit: z.int() }),
]);

/**
 * Why a command does not hold a content. It is broken: its end is missing (`cut-off`), its decoder refuses it
 * (`damaged`), or it is something else as well (`mixed`). Or it is too costly: by its header it has too many `pixels`
 * (of all frames together) or would take too many `bytes`, or decoding it took more `memory` (bytes) or `time` (ms)
 * than it may.
 */
export type ContentFault = z.infer<typeof fault>;

/** A fault of a content whose decoding would cost too much. */
export type TooCostly = Exclude<ContentFault, { readonly kind: 'cut-off' | 'damaged' | 'mixed' }>;

const judgement = z.union([z.enum(['whole', ...PDF_FLAWS]), fault]);
export type Judgement = GoodVerdict | ContentFault;

/** The fault of a judgement; null for a content that a command may hold. */
export function faultOf(judged: Judgement): ContentFault | null {
  return typeof judged === 'object' ? judged : null;
}

/** Answer of the decoder process. */
export function judgementText(judged: Judgement): string {
  return `${JSON.stringify(judged)}\n`;
}

/** @throws Error if the text is no answer */
export function judgementFromText(text: string): Judgement {
  return judgement.parse(JSON.parse(text));
}
