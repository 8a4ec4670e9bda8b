/** What the platform does by itself where its document leaves it open; each with a switch of the admin API (NOT-SHOWN.md). */
export interface Behaviour {
  /** An order whose invoice is registered and whose file is attached becomes 350 without a PATCH. */
  readonly invoicedByItself: boolean;
  /** Answer of `GET /v1/Storages/invoice`: an object with the file's URL, or the file. */
  readonly invoiceAnswer: 'url' | 'file';
  /** 750 and 800 of one cancellation under one operation id, or under two. */
  readonly cancelOperationIds: 'one' | 'two';
  /** Between 750 and 800. */
  readonly cancellationMs: number;
  /** A cancelled or returned order is refunded: 1100, then 1200. */
  readonly refundsByItself: boolean;
  /** `Authorization` of a delivery: the token as it was registered, or with its scheme in front. */
  readonly authorization: 'as-sent' | 'with-scheme';
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
  invoicedByItself: true,
  invoiceAnswer: 'url',
  cancelOperationIds: 'one',
  cancellationMs: 0,
  refundsByItself: false,
  authorization: 'as-sent',
};
