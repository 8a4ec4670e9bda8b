/** The name of what sends an entity again, for operators; an ERP's record of this name is `invalid`. */
export const RESEND = 'resend';

/** Its queue in the entity's lane: its turn comes when no record of the ERP is open. No record names its queue. */
export const RESEND_QUEUE = 'resend';

/** Entities of one resend that are open at a time: so much stands in the way of a record that comes now. */
export const RESEND_PAGE = 50;

/** What an operator wants sent again. */
export type ResendSelection =
  | { readonly kind: 'product'; readonly externalReference: string }
  /** The category, those below it, and the products in them. */
  | { readonly kind: 'category'; readonly externalReference: string }
  /** Brands, categories and products. */
  | { readonly kind: 'everything' };

/** Place of products among what is sent again: behind all categories, however deep. */
export const PRODUCTS_PLACE = 1_000;

/** A record in a queue of its lane. */
interface Queued {
  readonly queue: string;
  /** Null: it was never sent. */
  readonly firstSentAt: string | null;
}

export function isResend({ queue }: Pick<Queued, 'queue'>): boolean {
  return queue === RESEND_QUEUE;
}

/** What is sent again of an entity is made when its turn comes. */
export function resendCommand(loadId: string, externalReference: string) {
  const value = Buffer.from(JSON.stringify({ externalReference, force: true }));
  const commandId = `${RESEND}/${loadId}/${externalReference}`;
  return { command: RESEND, queue: RESEND_QUEUE, loadId, commandId, contentHash: '', value };
}

/**
 * The record of a lane whose turn it is: the ERP's before what an operator wants sent again, unless that was sent
 * already, since one change of an entity at most is on its way. Null: none is open.
 */
export function headOf<Q extends Queued>(heads: readonly Q[]): Q | null {
  const sentAgain = heads.find((head) => isResend(head) && head.firstSentAt !== null);
  return sentAgain ?? heads.find((head) => !isResend(head)) ?? heads[0] ?? null;
}
