import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import { readUnstartedApps } from '@gondola/service-kit/testing/unstarted-apps';
import { APP_NAMES, type AppName } from '../../src/operations-apis/app-name.ts';

export interface DocumentedRoute {
  readonly app: AppName;
  readonly method: string;
  readonly path: string;
}

/** Routes below `/api` of the OpenAPI documents of all apps. */
export async function documentedRoutes(): Promise<DocumentedRoute[]> {
  const routes = await readUnstartedApps(new URL('../../../', import.meta.url), APP_NAMES, async (running, app) => {
    const { paths } = await running.get(OpenApiDocument).content();
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ app, method: method.toUpperCase(), path })),
    );
  });
  return routes.flat().filter(({ path }) => path.startsWith('/api/'));
}
