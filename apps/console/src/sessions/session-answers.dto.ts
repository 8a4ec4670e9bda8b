import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';

/** `security` of the routes that `SessionGuard` guards. */
export const BY_SESSION = { security: [{ session: [] }] };
/** `security` of the routes that everybody may call. */
export const BY_ANYBODY = { security: [] };

export const AWAY = { 503: 'PostgreSQL does not answer at the moment; ask again later' };
/** Errors of the routes that `SessionGuard` guards. */
export const GUARDED = { ...AWAY, 401: 'Nobody is signed in' };
/** Errors of a call that changes something. */
export const FOREIGN = { 403: 'The call came from no page of the console' };
export const WITH_BODY = {
  400: 'A field is wrong',
  413: 'The body is too large',
  415: 'The body is no JSON by its type',
};

/** The session for `/api/openapi.json`. */
export const sessionOpenApi: OpenApiPart = {
  paths: {},
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'gondola',
      description: 'The cookie that signing in sets; behind https its name is __Host-gondola',
    },
  },
};
