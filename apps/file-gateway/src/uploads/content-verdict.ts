import { z } from 'zod';
import type { PdfFlaw } from './pdf-flaw.ts';

const VERDICTS = ['broken', 'whole', 'damaged', 'encrypted'] as const;

/**
 * Verdict about a content: `broken`, `whole`, or a complete PDF with a flaw that may prevent viewers from showing
 * it.
 */
export type ContentVerdict = 'broken' | 'whole' | PdfFlaw;

const tooCostly = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pixels'), width: z.int(), height: z.int(), limit: z.int() }),
  z.object({ kind: z.literal('bytes'), width: z.int(), height: z.int(), bytes: z.int(), limit: z.int() }),
  z.object({ kind: z.literal('memory'), limit: z.int() }),
  z.object({ kind: z.literal('time'), limit: z.int() }),
]);

/**
 * Why a content is not decoded to its end: by its header it has too many `pixels` (of all frames together) or would
 * take too many `bytes`; or decoding it took more `memory` (bytes) or `time` (ms) than it may.
 */
export type TooCostly = z.infer<typeof tooCostly>;

/** Why a command does not hold a content. */
export type ContentFault = 'broken' | TooCostly;

const judgement = z.union([z.enum(VERDICTS), tooCostly]);
export type Judgement = ContentVerdict | TooCostly;

/** The fault of a judgement; null for a content that a command may hold. */
export function faultOf(judged: Judgement): ContentFault | null {
  return judged === 'broken' || typeof judged === 'object' ? judged : null;
}

/** Answer of the decoder process. */
export function judgementText(judged: Judgement): string {
  return `${JSON.stringify(judged)}\n`;
}

/** @throws Error if the text is no answer */
export function judgementFromText(text: string): Judgement {
  return judgement.parse(JSON.parse(text));
}
