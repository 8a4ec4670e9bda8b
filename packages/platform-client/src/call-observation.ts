/** The routes of {@link PlatformClient}, by the names of its methods. */
export type RouteName =
  | 'postBrands'
  | 'deleteBrands'
  | 'postCategories'
  | 'postProducts'
  | 'postPrices'
  | 'postWarehouses'
  | 'postStock'
  | 'getProduct'
  | 'patchOrderStatus'
  | 'getOrderStatus'
  | 'getWebhookPayload'
  | 'putOrder'
  | 'putInvoiced'
  | 'cancelOrder'
  | 'uploadImages'
  | 'linkImages'
  | 'undoImages'
  | 'listFiles'
  | 'removeFiles'
  | 'removeAllFiles'
  | 'uploadInvoicePdf'
  | 'getInvoice'
  | 'registerWebhook';

/**
 * One call in one line, for a log and for metrics. It holds no body, no credential and no reference of a person or an
 * order.
 */
export interface CallObservation {
  readonly tenant: string;
  readonly route: RouteName;
  /** The answer's `kind` and `cause`. */
  readonly kind: string;
  readonly cause: string | null;
  /** HTTP status; null when none came, and when no call was made. */
  readonly status: number | null;
  /** Milliseconds from sending to the end, without the wait for a slot; 0 when no call was made. */
  readonly ms: number;
}

export type CallObserver = (observation: CallObservation) => void;

/** An observer that throws must not take from the caller the answer of a call that changed something. */
export function observeSafely(observe: CallObserver | undefined, observation: CallObservation): void {
  try {
    observe?.(observation);
  } catch {
    // An observer that throws must not fail the call.
  }
}
