/** A call that did not succeed, as the page shows it: the app's own sentence, or one of the page's for its code. */
export class ApiProblem extends Error {
  /** HTTP status; 0 if no answer came. */
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
  }
}

/** Reads the error body that every app answers with. */
export function problemOf(status: number, body: unknown): ApiProblem {
  const error = fieldOf(body, 'error');
  const code = fieldOf(error, 'code');
  const message = fieldOf(error, 'message');
  return new ApiProblem(
    status,
    typeof code === 'string' ? code : 'UNREADABLE',
    typeof message === 'string' ? message : '',
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
