import { errorAnswers, type OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { APP_NAMES } from '../operations-apis/app-name.ts';
import { BY_SESSION, FOREIGN, GUARDED } from '../sessions/session-answers.dto.ts';

const ANYTHING = { '*/*': { schema: {} } };
const DESCRIPTION =
  'Route, parameters, body and answer are those of the app’s own document (GET /api/openapi.json of the app), where ' +
  '`x-personal` says which fields are masked. `path` is the whole path from `api/` on, with its slashes.';

function passes(method: string, summary: string, meanings: Readonly<Record<number, string>>): object {
  return {
    operationId: `PassingController_${method}`,
    summary,
    description: DESCRIPTION,
    ...BY_SESSION,
    parameters: [
      { name: 'app', in: 'path', required: true, schema: { type: 'string', enum: APP_NAMES } },
      { name: 'path', in: 'path', required: true, schema: { type: 'string' } },
    ],
    ...(method === 'post' && { requestBody: { content: ANYTHING } }),
    responses: {
      '2XX': { description: 'The answer of the app', content: ANYTHING },
      ...errorAnswers({
        ...GUARDED,
        403: 'The operator may not do it for this shop',
        502: 'The app does not answer, or not what its document says',
        ...meanings,
      }),
      default: {
        description: 'An error of the app; 404: also of the console, which passes no such route on',
        content: ANYTHING,
      },
    },
  };
}

/**
 * `PassingController` for `/api/openapi.json`: its route takes every method, and OpenAPI knows no path with slashes.
 */
export const passingOpenApi: OpenApiPart = {
  paths: {
    '/apps/{app}/{path}': {
      get: passes('get', 'Reads from the operations API of an app', {}),
      post: passes('post', 'Acts by the operations API of an app; what an operator does is stored before', {
        403: `${FOREIGN[403]}, or the operator may not do it for this shop`,
        413: 'The body is too large',
        415: 'The body is neither JSON nor a file that the app takes',
      }),
    },
  },
};
