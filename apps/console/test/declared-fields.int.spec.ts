import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import { readUnstartedApps } from '@gondola/service-kit/testing/unstarted-apps';
import { expect, it } from '@jest/globals';
import { readDeclarations } from '../scripts/read-declarations.ts';
import { APP_NAMES } from '../src/operations-apis/app-name.ts';

it('every field of every answer of an operations API is declared open or personal, whatever it is nested in', async () => {
  const undeclared = await readUnstartedApps(new URL('../../', import.meta.url), APP_NAMES, async (app, name) => {
    const document = await app.get(OpenApiDocument).content();
    return readDeclarations(document).undeclared.map((field) => `${name}: ${field}`);
  });
  expect(undeclared.flat()).toEqual([]);
});
