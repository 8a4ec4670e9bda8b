/** Body of every error answer over HTTP. */
export interface ErrorBody {
  error: { code: string; message: string };
}

/** Body of an error answer with the given status; `message` if a text may be shown. */
export function errorBody(status: number, message?: string): ErrorBody {
  const { code, text } = STATUSES[status] ?? (status >= 500 ? INTERNAL : BAD_REQUEST);
  return { error: { code, message: message ?? text } };
}

interface StatusWords {
  code: string;
  text: string;
}

const INTERNAL: StatusWords = { code: 'INTERNAL', text: 'Internal error' };
const BAD_REQUEST: StatusWords = { code: 'BAD_REQUEST', text: 'Bad request' };

const STATUSES: Record<number, StatusWords> = {
  401: { code: 'UNAUTHORIZED', text: 'Unauthorized' },
  403: { code: 'FORBIDDEN', text: 'Forbidden' },
  404: { code: 'NOT_FOUND', text: 'Not found' },
  405: { code: 'METHOD_NOT_ALLOWED', text: 'Method not allowed' },
  408: { code: 'TIMEOUT', text: 'The request took too long' },
  409: { code: 'CONFLICT', text: 'Conflict' },
  413: { code: 'TOO_LARGE', text: 'The body is too large' },
  414: { code: 'URI_TOO_LONG', text: 'The URI is too long' },
  415: { code: 'MEDIA_TYPE', text: 'This media type is not accepted' },
  422: { code: 'UNPROCESSABLE', text: 'Unprocessable' },
  429: { code: 'TOO_MANY_REQUESTS', text: 'Too many requests' },
  431: { code: 'HEADERS_TOO_LARGE', text: 'The headers are too large' },
  503: { code: 'UNAVAILABLE', text: 'Not available at the moment' },
  507: { code: 'QUOTA_FULL', text: 'The quota is full' },
};
