import type { Role } from '../operators/operator.ts';
import type { AppName } from '../operations-apis/app-name.ts';

/**
 * Place of the tenant of a call:
 * - `query`, `body`: the field `tenant` of the query or of the JSON body. Without it the app takes the only tenant, or
 *   all; with several tenants the operator then needs the role on each.
 * - `answer`: the field `tenant` of the answer, which is read before it is shown.
 * - `item`: the field `tenant` of the item that a GET of `at` answers, which is asked for before the call.
 */
type TenantPlace = 'query' | 'body' | 'answer' | { readonly at: string };

export interface PassedRoute {
  readonly app: AppName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the app's OpenAPI document. */
  readonly path: string;
  readonly role: Role;
  readonly tenant: TenantPlace;
  /**
   * Parameter of the query that, if `true`, shows the personal fields of the answer: it needs the role `act`, and is
   * recorded and counted. `unmasked` is the console's own; the app itself knows the others, and holds data back without
   * them. `always`: the route is there to show them.
   */
  readonly reveals?: 'reveal' | 'body' | 'unmasked' | 'always';
  /** `file`: the body is an image or a PDF, and not JSON. */
  readonly takes?: 'file';
  /** Name under which the call is recorded, and the parameter or field that names its subject. */
  readonly action?: { readonly name: string; readonly subject?: string };
}

const CONSUMERS = ['file-gateway', 'order-command-handler', 'catalog-publisher'] as const;
const ALL = ['webhook-ingest', ...CONSUMERS] as const;

const deadLetters = CONSUMERS.flatMap((app): PassedRoute[] => [
  { app, method: 'GET', path: '/api/dead-letters', role: 'see', tenant: 'query' },
  { app, method: 'GET', path: '/api/dead-letters/groups', role: 'see', tenant: 'query' },
  {
    app,
    method: 'GET',
    path: '/api/dead-letters/{id}',
    role: 'see',
    tenant: 'answer',
    reveals: 'body',
    action: { name: 'reveal-dead-letter', subject: 'id' },
  },
  {
    app,
    method: 'POST',
    path: '/api/dead-letters/{id}/redrive',
    role: 'act',
    tenant: { at: '/api/dead-letters/{id}' },
    action: { name: 'redrive-dead-letter', subject: 'id' },
  },
  {
    app,
    method: 'POST',
    path: '/api/dead-letters/{id}/discard',
    role: 'act',
    tenant: { at: '/api/dead-letters/{id}' },
    action: { name: 'discard-dead-letter', subject: 'id' },
  },
]);

/** Actions on many dead letters or entries of the quarantine. Each app itself holds a job against the tenant named. */
const jobs = ALL.flatMap((app): PassedRoute[] => [
  { app, method: 'POST', path: '/api/jobs/preview', role: 'see', tenant: 'body' },
  { app, method: 'POST', path: '/api/jobs', role: 'act', tenant: 'body', action: { name: 'start-job' } },
  { app, method: 'GET', path: '/api/jobs', role: 'see', tenant: 'query' },
  {
    app,
    method: 'GET',
    path: '/api/jobs/{id}',
    role: 'see',
    tenant: 'query',
    reveals: 'unmasked',
    action: { name: 'reveal-job', subject: 'id' },
  },
  {
    app,
    method: 'POST',
    path: '/api/jobs/{id}/stop',
    role: 'act',
    tenant: 'query',
    action: { name: 'stop-job', subject: 'id' },
  },
]);

/** Records that Kafka does not accept as they are. */
const parked = ALL.flatMap((app): PassedRoute[] => [
  { app, method: 'GET', path: '/api/parked', role: 'see', tenant: 'query' },
  { app, method: 'GET', path: '/api/parked/groups', role: 'see', tenant: 'query' },
  { app, method: 'GET', path: '/api/parked/{id}', role: 'see', tenant: 'answer' },
  {
    app,
    method: 'POST',
    path: '/api/parked/release',
    role: 'act',
    tenant: 'body',
    action: { name: 'release-all-parked' },
  },
  {
    app,
    method: 'POST',
    path: '/api/parked/{id}/release',
    role: 'act',
    tenant: { at: '/api/parked/{id}' },
    action: { name: 'release-parked', subject: 'id' },
  },
]);

const today = ALL.map((app): PassedRoute => ({ app, method: 'GET', path: '/api/today', role: 'see', tenant: 'query' }));

const pauses = CONSUMERS.flatMap((app): PassedRoute[] => [
  { app, method: 'GET', path: '/api/pauses', role: 'see', tenant: 'query' },
  {
    app,
    method: 'POST',
    path: '/api/pauses/end',
    role: 'act',
    tenant: 'body',
    action: { name: 'end-pause', subject: 'route' },
  },
]);

const erasures = ALL.flatMap((app): PassedRoute[] => [
  { app, method: 'GET', path: '/api/erasures', role: 'see', tenant: 'query' },
  {
    app,
    method: 'POST',
    path: '/api/erasures',
    role: 'act',
    tenant: 'body',
    action: { name: 'erase-order', subject: 'orderNumber' },
  },
]);

const webhookIngest = routesOf('webhook-ingest', [
  { method: 'GET', path: '/api/notifications', role: 'see', tenant: 'query' },
  {
    method: 'GET',
    path: '/api/notifications/{id}',
    role: 'see',
    tenant: 'answer',
    reveals: 'body',
    action: { name: 'reveal-notification', subject: 'id' },
  },
  { method: 'GET', path: '/api/deliveries/hours', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/quarantine', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/quarantine/groups', role: 'see', tenant: 'query' },
  {
    method: 'GET',
    path: '/api/quarantine/{id}',
    role: 'see',
    tenant: 'answer',
    reveals: 'body',
    action: { name: 'reveal-quarantine', subject: 'id' },
  },
  {
    method: 'POST',
    path: '/api/quarantine/reprocess',
    role: 'act',
    tenant: 'body',
    action: { name: 'reprocess-all-quarantine' },
  },
  {
    method: 'POST',
    path: '/api/quarantine/{id}/reprocess',
    role: 'act',
    tenant: { at: '/api/quarantine/{id}' },
    action: { name: 'reprocess-quarantine', subject: 'id' },
  },
  {
    method: 'POST',
    path: '/api/quarantine/{id}/discard',
    role: 'act',
    tenant: { at: '/api/quarantine/{id}' },
    action: { name: 'discard-quarantine', subject: 'id' },
  },
  {
    method: 'GET',
    path: '/api/webhook-registration',
    role: 'see',
    tenant: 'query',
    reveals: 'unmasked',
    action: { name: 'reveal-webhook-registration' },
  },
  {
    method: 'POST',
    path: '/api/webhook-registration',
    role: 'act',
    tenant: 'body',
    action: { name: 'register-webhook' },
  },
  { method: 'POST', path: '/api/erasures/users', role: 'act', tenant: 'body', action: { name: 'erase-shopper' } },
]);

const fileGateway = routesOf('file-gateway', [
  {
    method: 'POST',
    path: '/api/commands',
    role: 'act',
    tenant: 'body',
    action: { name: 'give-file-command', subject: 'commandId' },
  },
  {
    method: 'GET',
    path: '/api/commands/{commandId}',
    role: 'see',
    tenant: 'query',
    reveals: 'unmasked',
    action: { name: 'reveal-file-command', subject: 'commandId' },
  },
  { method: 'GET', path: '/api/counts', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/skus/{externalReference}/images', role: 'see', tenant: 'query' },
  { method: 'POST', path: '/api/skus/known', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/orders/{number}/invoice', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/categories/{externalReference}/files', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/products/{externalReference}/files', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/files/{entityId}', role: 'see', tenant: 'query' },
  {
    method: 'POST',
    path: '/api/uploads',
    role: 'act',
    tenant: 'query',
    takes: 'file',
    action: { name: 'upload-file' },
  },
]);

const orderCommandHandler = routesOf('order-command-handler', [
  { method: 'GET', path: '/api/orders', role: 'see', tenant: 'query' },
  {
    method: 'GET',
    path: '/api/orders/{number}',
    role: 'see',
    tenant: 'query',
    reveals: 'reveal',
    action: { name: 'reveal-order', subject: 'number' },
  },
  {
    method: 'GET',
    path: '/api/orders/{number}/details',
    role: 'act',
    tenant: 'query',
    reveals: 'always',
    action: { name: 'reveal-order-details', subject: 'number' },
  },
  {
    method: 'POST',
    path: '/api/orders/{number}/release',
    role: 'act',
    tenant: 'body',
    action: { name: 'release-order', subject: 'number' },
  },
  {
    method: 'POST',
    path: '/api/orders/{number}/refresh',
    role: 'act',
    tenant: 'body',
    action: { name: 'refresh-order', subject: 'number' },
  },
  { method: 'GET', path: '/api/counts', role: 'see', tenant: 'query' },
  {
    method: 'GET',
    path: '/api/commands/{commandId}',
    role: 'see',
    tenant: 'query',
    reveals: 'unmasked',
    action: { name: 'reveal-command', subject: 'commandId' },
  },
  {
    method: 'POST',
    path: '/api/commands/{commandId}/withdraw',
    role: 'act',
    tenant: 'body',
    action: { name: 'withdraw-command', subject: 'commandId' },
  },
  { method: 'POST', path: '/api/recoveries', role: 'act', tenant: 'body', action: { name: 'start-recovery' } },
  { method: 'GET', path: '/api/recoveries', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/recoveries/{id}', role: 'see', tenant: 'answer' },
  { method: 'GET', path: '/api/recoveries/{id}/numbers', role: 'see', tenant: { at: '/api/recoveries/{id}' } },
  {
    method: 'POST',
    path: '/api/erasures/orders',
    role: 'act',
    tenant: 'body',
    action: { name: 'find-orders-of-shopper' },
  },
]);

const catalogPublisher = routesOf('catalog-publisher', [
  { method: 'GET', path: '/api/products', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/rejections', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/rejections/groups', role: 'see', tenant: 'query' },
  {
    method: 'GET',
    path: '/api/products/{externalReference}',
    role: 'see',
    tenant: 'query',
    reveals: 'unmasked',
    action: { name: 'reveal-product', subject: 'externalReference' },
  },
  { method: 'GET', path: '/api/products/{externalReference}/explanation', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/products/{externalReference}/records', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/brands/{externalReference}', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/categories/{externalReference}', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/counts', role: 'see', tenant: 'query' },
  { method: 'POST', path: '/api/preflight', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/loads', role: 'see', tenant: 'query' },
  { method: 'GET', path: '/api/loads/{loadId}', role: 'see', tenant: 'query' },
  { method: 'POST', path: '/api/resends', role: 'act', tenant: 'query', action: { name: 'resend-products' } },
  { method: 'POST', path: '/api/comparisons', role: 'act', tenant: 'query', action: { name: 'compare-products' } },
]);

/** Every route that the console passes on. Whatever is not here is answered with 404. */
export const PASSED_ROUTES: readonly PassedRoute[] = [
  ...deadLetters,
  ...jobs,
  ...parked,
  ...today,
  ...pauses,
  ...erasures,
  ...webhookIngest,
  ...fileGateway,
  ...orderCommandHandler,
  ...catalogPublisher,
];

/** Routes of the operations APIs that the console deliberately does not pass on, as `METHOD path`, and why. */
export const UNPASSED_ROUTES: Readonly<Record<string, string>> = {
  'GET /api/info': 'the overview shows it, also for an app that is away',
  'GET /api/openapi.json': 'a page is built from it, and none asks for it',
  'POST /api/loads': 'a load is sent by the command line, which resumes it after an interruption',
  'POST /api/loads/{loadId}/records': 'a load is sent by the command line, which resumes it after an interruption',
};

function routesOf(app: AppName, routes: readonly Omit<PassedRoute, 'app'>[]): PassedRoute[] {
  return routes.map((route) => ({ app, ...route }));
}
