/** Command name of a resend, shown to operators; an ERP's record with this `op` is `invalid`. */
export const RESEND = 'resend';

/** Queue of resends in an entity's lane: it goes behind all open records of the ERP, which use no named queue. */
export const RESEND_QUEUE = 'resend';

/** Open entities of one resend at a time: the most that a new record of the ERP may have to wait for. */
export const RESEND_PAGE = 50;

/** Selection of entities to send again. */
export type ResendSelection =
  | { readonly kind: 'product'; readonly externalReference: string }
  /** The category, those below it, and the products in them. */
  | { readonly kind: 'category'; readonly externalReference: string }
  /** Brands, categories and products. */
  | { readonly kind: 'everything' };

/** Place of products in a resend: behind categories of any depth. */
export const PRODUCTS_PLACE = 1_000;

/** A record in a queue of its lane. */
interface Queued {
  readonly queue: string;
  /** Null before the first attempt. */
  readonly firstSentAt: string | null;
}

export function isResend({ queue }: Pick<Queued, 'queue'>): boolean {
  return queue === RESEND_QUEUE;
}

/** Command that sends an entity again; its body is made in the step that sends it. */
export function resendCommand(loadId: string, externalReference: string) {
  const value = Buffer.from(JSON.stringify({ externalReference, force: true }));
  const commandId = `${RESEND}/${loadId}/${externalReference}`;
  return { command: RESEND, queue: RESEND_QUEUE, loadId, commandId, contentHash: '', value };
}

/**
 * Next record of a lane: the ERP's before a resend, unless the resend was sent already, since only one change of an
 * entity is under way at a time. Null if none is open.
 */
export function headOf<Q extends Queued>(heads: readonly Q[]): Q | null {
  const sentAgain = heads.find((head) => isResend(head) && head.firstSentAt !== null);
  return sentAgain ?? heads.find((head) => !isResend(head)) ?? heads[0] ?? null;
}
