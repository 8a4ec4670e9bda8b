import { beforeAll, describe, expect, it } from '@jest/globals';
import { openApiProblems } from '@gondola/local-stack/testing/openapi-problems';
import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import { openApiGaps } from '@gondola/service-kit/testing/openapi-gaps';
import { readUnstartedApps } from '@gondola/service-kit/testing/unstarted-apps';
import { APP_NAMES } from '../src/operations-apis/app-name.ts';

type Document = Awaited<ReturnType<OpenApiDocument['content']>>;

const APPS = [...APP_NAMES, 'console'] as const;
const documents = new Map<string, Document>();

beforeAll(async () => {
  const read = await readUnstartedApps(new URL('../../', import.meta.url), APPS, async (app) =>
    app.get(OpenApiDocument).content(),
  );
  for (const [index, document] of read.entries()) documents.set(APPS[index]!, document);
});

describe.each(APPS)('the OpenAPI document of %s', (app) => {
  it('is valid OpenAPI 3.1, with an id and a summary of each operation', async () => {
    const document = documents.get(app)!;
    expect(await openApiProblems(document)).toEqual([]);
    expect(openApiGaps(document)).toEqual([]);
  });

  it('has a bearer token of no form', () => {
    const { operationsToken } = documents.get(app)!.components!.securitySchemes!;
    expect(operationsToken).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(operationsToken).not.toHaveProperty('bearerFormat');
  });

  it('declares 401, 403 and 400 of the token, the operator and the URL on each route of the operations API', () => {
    const routes = Object.entries(documents.get(app)!.paths).filter(([path]) => path.startsWith('/api/'));
    expect(routes).not.toHaveLength(0);
    for (const [path, item] of routes) {
      for (const [method, { responses }] of Object.entries(item as Record<string, { responses: object }>)) {
        expect([method, path, Object.keys(responses)]).toEqual([
          method,
          path,
          expect.arrayContaining(['400', '401', '403']),
        ]);
      }
    }
  });
});
