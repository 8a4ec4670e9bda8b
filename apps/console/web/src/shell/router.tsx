import { booleanOf, textOf } from '@gondola/web-kit/routes/search';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import type { OrderFilter } from '../orders/order-filter.ts';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

/** Every page has an address that can be sent to a colleague; each is loaded when it is first opened. */
const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: (search: Record<string, unknown>): { shop?: string } => textOf(search, 'shop'),
  search: { middlewares: [retainSearchParams(['shop'])] },
});

const today = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../today/today.page.tsx'), 'TodayPage'),
});

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: (search: Record<string, unknown>): OrderFilter => ({
    ...textOf(search, 'number'),
    ...textOf(search, 'status'),
    ...booleanOf(search, 'attention'),
    ...booleanOf(search, 'givenUp'),
    ...textOf(search, 'from'),
    ...textOf(search, 'to'),
    ...booleanOf(search, 'everyShop'),
  }),
  component: lazyRouteComponent(() => import('../orders/orders.page.tsx'), 'OrdersPage'),
});

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$number',
  component: lazyRouteComponent(() => import('../orders/order.page.tsx'), 'OrderPage'),
});

const attention = createRoute({
  getParentRoute: () => root,
  path: '/attention',
  component: lazyRouteComponent(() => import('../attention/attention.page.tsx'), 'AttentionPage'),
});

const products = createRoute({
  getParentRoute: () => root,
  path: '/products',
  validateSearch: (search: Record<string, unknown>): { search?: string } => textOf(search, 'search'),
  component: lazyRouteComponent(() => import('../products/products.page.tsx'), 'ProductsPage'),
});

const product = createRoute({
  getParentRoute: () => root,
  path: '/products/$reference',
  component: lazyRouteComponent(() => import('../products/product.page.tsx'), 'ProductPage'),
});

const loads = createRoute({
  getParentRoute: () => root,
  path: '/loads',
  component: lazyRouteComponent(() => import('../loads/loads.page.tsx'), 'LoadsPage'),
});

const load = createRoute({
  getParentRoute: () => root,
  path: '/loads/$loadId',
  component: lazyRouteComponent(() => import('../loads/load.page.tsx'), 'LoadPage'),
});

const tryRecords = createRoute({
  getParentRoute: () => root,
  path: '/try',
  component: lazyRouteComponent(() => import('../preflight/try.page.tsx'), 'TryPage'),
});

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  validateSearch: (
    search: Record<string, unknown>,
  ): { order?: string; operation?: string; event?: string; state?: string } => ({
    ...textOf(search, 'order'),
    ...textOf(search, 'operation'),
    ...textOf(search, 'event'),
    ...textOf(search, 'state'),
  }),
  component: lazyRouteComponent(() => import('../notifications/notifications.page.tsx'), 'NotificationsPage'),
});

const notification = createRoute({
  getParentRoute: () => root,
  path: '/notifications/$id',
  component: lazyRouteComponent(() => import('../notifications/notification.page.tsx'), 'NotificationPage'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhook',
  component: lazyRouteComponent(() => import('../webhook/webhook.page.tsx'), 'WebhookPage'),
});

const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  component: lazyRouteComponent(() => import('../files/files.page.tsx'), 'FilesPage'),
});

const skuPictures = createRoute({
  getParentRoute: () => root,
  path: '/files/$reference',
  component: lazyRouteComponent(() => import('../files/sku-pictures.page.tsx'), 'SkuPicturesPage'),
});

const recovery = createRoute({
  getParentRoute: () => root,
  path: '/recovery',
  component: lazyRouteComponent(() => import('../recovery/recovery.page.tsx'), 'RecoveryPage'),
});

const shadow = createRoute({
  getParentRoute: () => root,
  path: '/shadow',
  component: lazyRouteComponent(() => import('../shadow/shadow.page.tsx'), 'ShadowPage'),
});

const replays = createRoute({
  getParentRoute: () => root,
  path: '/replays',
  component: lazyRouteComponent(() => import('../replays/replays.page.tsx'), 'ReplaysPage'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  component: lazyRouteComponent(() => import('../audit/audit.page.tsx'), 'AuditPage'),
});

const privacy = createRoute({
  getParentRoute: () => root,
  path: '/privacy',
  component: lazyRouteComponent(() => import('../privacy/privacy.page.tsx'), 'PrivacyPage'),
});

/** Not at `/actions`, which is a route of the server. */
const operators = createRoute({
  getParentRoute: () => root,
  path: '/operators',
  component: lazyRouteComponent(() => import('../operators/operators.page.tsx'), 'OperatorsPage'),
});

/** Not at `/sessions`, which is a route of the server. */
const sessions = createRoute({
  getParentRoute: () => root,
  path: '/signed-in',
  component: lazyRouteComponent(() => import('../sessions/sessions.page.tsx'), 'SessionsPage'),
});

const routeTree = root.addChildren([
  today,
  orders,
  order,
  attention,
  products,
  product,
  loads,
  load,
  tryRecords,
  notifications,
  notification,
  webhook,
  files,
  skuPictures,
  recovery,
  shadow,
  replays,
  audit,
  privacy,
  operators,
  sessions,
]);

export const router = createRouter({ routeTree, defaultPreload: 'intent' });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
