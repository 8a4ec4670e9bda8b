import type { Hole, Words } from '../texts/texts.ts';
import { APP_PORTS, type AppName } from './addresses.ts';
import { COMMAND_ROUTES } from './command-routes.ts';
import type { ApiRequest } from './operations-api.ts';

type Routes = typeof COMMAND_ROUTES;

/** A route of the table. */
interface CommandRoute {
  readonly apps: readonly AppName[];
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Names of the parameters of its query. */
  readonly query: readonly string[];
  /** Sentence of the command's help. */
  readonly say?: Words;
}

/** Name of a route that a command calls, as the definition at the app's controller gives it. */
export type RouteName = keyof Routes;

export type AppOf<R extends RouteName> = Routes[R]['apps'][number];

/**
 * Inputs of a call: the holes of the route's path; the app, if several have the route; and the query's parameters or,
 * of a POST, fields of the body.
 */
export type GivenOf<R extends RouteName> = { readonly [K in Hole<Routes[R]['path']>]: string } & {
  readonly [K in Routes[R]['query'][number]]?: unknown;
} & (Routes[R]['apps'] extends readonly [AppName] ? unknown : { readonly app: AppOf<R> }) &
  (Routes[R]['method'] extends 'GET' ? unknown : { readonly [field: string]: unknown });

/** The apps that have a route, in the order in which they are asked. */
export function appsOf<R extends RouteName>(route: R): readonly AppOf<R>[] {
  const { apps }: CommandRoute = COMMAND_ROUTES[route];
  return (Object.keys(APP_PORTS) as AppOf<R>[]).filter((app) => apps.includes(app));
}

/** True if a route lists its entries in pages. */
export function hasPages(route: RouteName): boolean {
  const { query }: CommandRoute = COMMAND_ROUTES[route];
  return query.includes('before');
}

/** Sentence of a command's help, from its route; absent: none has it. */
export function wordsOf(command: string): Words | undefined {
  return (COMMAND_ROUTES as Readonly<Record<string, CommandRoute>>)[command]?.say;
}

/** A call of a route: inputs fill the holes of its path; the rest is its query or, of a POST, the body. */
export function requestTo<R extends RouteName>(route: R, given: GivenOf<R>): ApiRequest {
  const { method, path, query }: CommandRoute = COMMAND_ROUTES[route];
  const { app = appsOf(route)[0], ...inputs } = given as { readonly app?: AppName };
  const rest = new Map(Object.entries<unknown>(inputs).filter(([, value]) => value !== undefined && value !== false));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_hole, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const asked = [...rest]
    .filter(([name]) => query.includes(name))
    .map(([name, value]) => [name, String(value)] as const);
  const body = [...rest].filter(([name]) => !query.includes(name));
  return {
    app: app as AppName,
    method,
    path: filled,
    query: Object.fromEntries(asked),
    ...(method === 'POST' && { body: Object.fromEntries(body) }),
  };
}
