import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import { readUnstartedApps } from '@gondola/service-kit/testing/unstarted-apps';
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import { APP_NAMES } from '../src/operations-apis/app-name.ts';

/** Folder of the generated types, one file for each app. */
export const TYPES_FOLDER = new URL('../web/src/api/', import.meta.url);

/** TypeScript types of every app's operations API, by file name. */
export async function apiTypes(): Promise<ReadonlyMap<string, string>> {
  const files = await readUnstartedApps(new URL('../../', import.meta.url), APP_NAMES, async (app, name) => {
    // A copy, since openapi-typescript changes what it is given.
    const document = structuredClone(await app.get(OpenApiDocument).content());
    return [`${name}.d.ts`, `${COMMENT_HEADER}${astToString(await openapiTS(document as OpenAPI3))}`] as const;
  });
  return new Map(files);
}
