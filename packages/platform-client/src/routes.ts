import type { AnswerForm } from './answer-forms.ts';
import { pathSegment, type PlatformCall } from './platform-request.ts';
import type { WireProfile } from './wire-profile.ts';

/** One route of the platform; README of this package has the table with the meaning of each. */
export interface Route {
  readonly method: PlatformCall['method'];
  /** Service that has the route; default: the integration API. */
  readonly service?: PlatformCall['service'];
  /** Path from `/v1` on with its holes, or the key of the wire profile that has it. */
  readonly path: `/v1/${string}` | PathKey;
  /** A JSON array of records, whose failures are about one entity only if the batch has one record. */
  readonly takes?: 'records' | 'files';
  /** Form of the answer to a change, by the document; default: `operationId`. */
  readonly answer?: AnswerForm;
  /** The document lists 500 as the answer to a wrong entity, so a 500 is no sign of a failing platform (rule 17). */
  readonly answers500?: true;
}

type PathKey = 'pricingPath' | 'warehousesPath' | 'stockPath' | 'webhookPayloadPath';

const IMAGES = '/v1/Storages/image/upload?externalReference={externalReference}';

/** All routes that Gondola calls (docs/platform.md, "Endpoints"). */
export const ROUTES = {
  postBrands: { method: 'POST', path: '/v1/batch/Brands', takes: 'records' },
  deleteBrands: { method: 'DELETE', path: '/v1/batch/Brands', takes: 'records', answer: 'not-shown' },
  postCategories: { method: 'POST', path: '/v1/batch/Categories', takes: 'records' },
  postProducts: { method: 'POST', path: '/v1/batch/Products', takes: 'records' },
  postPrices: { method: 'POST', path: 'pricingPath', takes: 'records' },
  postWarehouses: { method: 'POST', path: 'warehousesPath', takes: 'records' },
  postStock: { method: 'POST', path: 'stockPath', takes: 'records' },
  getProduct: { method: 'GET', path: '/v1/batch/Products/{externalReference}' },
  patchOrderStatus: { method: 'PATCH', path: '/v1/Orders/{orderNumber}/status', answer: 'not-shown' },
  getOrderStatus: { method: 'GET', path: '/v1/Orders/{orderNumber}/status' },
  getWebhookPayload: { method: 'GET', path: 'webhookPayloadPath' },
  putOrder: { method: 'PUT', path: '/v1/Orders/{orderNumber}', answer: 'not-shown' },
  putInvoiced: {
    method: 'PUT',
    path: '/v1/Orders/invoiced/{orderNumber}',
    answer: 'transactionId',
    answers500: true,
  },
  cancelOrder: { method: 'POST', path: '/v1/Orders/{orderNumber}/cancel' },
  uploadImages: { method: 'POST', path: IMAGES, takes: 'files' },
  linkImages: { method: 'POST', path: IMAGES },
  undoImages: { method: 'DELETE', path: IMAGES, takes: 'files', answer: 'not-shown' },
  listFiles: { method: 'GET', path: '/v1/Storages/file/{externalReference}/{fileType}' },
  removeFiles: { method: 'DELETE', path: '/v1/Storages/file/{externalReference}', answer: 'not-shown' },
  removeAllFiles: { method: 'DELETE', path: '/v1/Storages/delete/{entityId}', answer: 'not-shown' },
  uploadInvoicePdf: {
    method: 'POST',
    path: '/v1/Storages/invoice/upload?orderId={orderId}',
    takes: 'files',
    answer: 'not-shown',
  },
  getInvoice: { method: 'GET', path: '/v1/Storages/invoice?orderId={orderId}' },
  registerWebhook: { method: 'POST', path: '/v1/Webhooks' },
  getOrderDetails: { method: 'GET', service: 'core', path: '/v1/gateway/orders/{orderId}/details' },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** Routes that take records, many in one call. */
export type BatchRoute = {
  [R in RouteName]: (typeof ROUTES)[R] extends { readonly takes: 'records' } ? R : never;
}[RouteName];

/** References of a call by the name of their hole; the first one names the entity of the call. */
export type References = Readonly<Record<string, string | number>>;

/** The path of a route with its holes. */
export function templateOf({ path }: Route, profile: WireProfile): string {
  return path.startsWith('/') ? path : profile[path as PathKey];
}

/**
 * The path of a call, each reference as one segment.
 *
 * @throws PlatformClientError `REQUEST_NOT_POSSIBLE` for an empty reference
 */
export function pathOf(route: Route, references: References, profile: WireProfile): string {
  const whole = templateOf(route, profile);
  return Object.entries(references).reduce(
    (filled, [name, reference]) => filled.replaceAll(`{${name}}`, () => pathSegment(String(reference))),
    whole,
  );
}
