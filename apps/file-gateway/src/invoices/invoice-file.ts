import { isLost } from '@gondola/shared/commands/attempts';
import type { HeldUpload } from '../uploads/held-content.ts';
import type { FileAttempt, Seen } from '../lanes/file-attempt.ts';

/** The file attached to an order, as far as the platform shows it. */
export interface ShownInvoice {
  readonly urls: readonly string[];
}

/**
 * What was attached to an order before anything was sent: null for no file, else the addresses under which it was
 * shown.
 */
export type InvoiceBefore = readonly string[] | null;

/**
 * Addresses by which one file is told from another. What follows `?` or `#` is left out: a signature that differs with
 * each reading says nothing of the file.
 */
export function addressesOf({ urls }: ShownInvoice): readonly string[] {
  return [...new Set(urls.map((url) => url.split(/[?#]/, 1)[0] ?? ''))].toSorted();
}

/**
 * What a reading shows of the PDF that is to be attached. Before it is sent, a file there is the same one only if
 * Gondola attached that very content; one that somebody else attached, or whose content is not known, is to be
 * replaced. After it was sent, a file there is the new one if none was there before, or another address shows it.
 *
 * @param knownSha256 of the content that Gondola attached last; null where that is not known
 */
export function seenOf(
  {
    pdf,
    sendings,
    before = null,
  }: { readonly pdf: HeldUpload; readonly sendings: readonly FileAttempt[]; readonly before?: InvoiceBefore },
  shown: ShownInvoice | null,
  knownSha256: string | null,
): Seen {
  if (shown === null) return 'none';
  if (sendings.length === 0) return knownSha256 === pdf.sha256 ? 'all' : 'none';
  if (before === null) return 'all';
  const addresses = addressesOf(shown);
  const isSame = addresses.length === before.length && addresses.every((address, index) => address === before[index]);
  return isSame ? 'unclear' : 'all';
}

/**
 * What is known of the attached content once an upload has ended: its hash, null for nothing any more, undefined for as
 * before. A refusal leaves the file that was there, unless another sending of the same upload may still be taken.
 */
export function knownAfter(
  outcome: string,
  pdf: HeldUpload,
  sendings: readonly FileAttempt[],
): string | null | undefined {
  if (outcome === 'applied') return pdf.sha256;
  if (sendings.length === 0) return undefined;
  const isOnlyRefused = outcome === 'refused' && sendings.length === 1 && !sendings.some(isLost);
  return isOnlyRefused ? undefined : null;
}
