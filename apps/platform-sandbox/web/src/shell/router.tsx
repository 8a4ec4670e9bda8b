import { textOf } from '@gondola/web-kit/routes/search';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { ShelfPage } from '../shelf/shelf.page.tsx';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

type Search = Record<string, unknown>;

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: (search: Search): { shop?: string } => textOf(search, 'shop'),
  search: { middlewares: [retainSearchParams(['shop'])] },
});

const shelf = createRoute({ getParentRoute: () => root, path: '/', component: ShelfPage });

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  component: lazyRouteComponent(() => import('../orders/orders.page.tsx'), 'OrdersPage'),
});

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$number',
  component: lazyRouteComponent(() => import('../orders/order.page.tsx'), 'OrderPage'),
});

const sent = createRoute({
  getParentRoute: () => root,
  path: '/sent',
  validateSearch: (search: Search): { order?: string; operation?: string; state?: string } => ({
    ...textOf(search, 'order'),
    ...textOf(search, 'operation'),
    ...textOf(search, 'state'),
  }),
  component: lazyRouteComponent(() => import('../sent/sent.page.tsx'), 'SentPage'),
});

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  component: lazyRouteComponent(() => import('../calls/calls.page.tsx'), 'CallsPage'),
});

const faults = createRoute({
  getParentRoute: () => root,
  path: '/faults',
  component: lazyRouteComponent(() => import('../faults/faults.page.tsx'), 'FaultsPage'),
});

const behaviour = createRoute({
  getParentRoute: () => root,
  path: '/behaviour',
  component: lazyRouteComponent(() => import('../behaviour/behaviour.page.tsx'), 'BehaviourPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/settings.page.tsx'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([shelf, orders, order, sent, calls, faults, behaviour, settings]),
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
