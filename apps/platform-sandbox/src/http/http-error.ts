/** An answer other than the usual one, with a sentence that gives the reason. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'HttpError';
  }
}

export function badRequest(code: string, message: string): HttpError {
  return new HttpError(400, code, message);
}

export function notFound(code: string, message: string): HttpError {
  return new HttpError(404, code, message);
}

/** For the admin API: there is no such order, product, … */
export function unknown(what: string): HttpError {
  return notFound('UNKNOWN', `There is no such ${what}`);
}

export function internal(message = 'Internal error', code = 'INTERNAL'): HttpError {
  return new HttpError(500, code, message);
}
