/** An operations API, or the sandbox's admin API, called as the operator does. */
export class OperationsApi {
  private readonly baseUrl: string;
  private readonly token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  /** Throws a sentence for an answer that is no success. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    return read(`${method} ${path}`, await this.ask(method, path, body)) as T;
  }

  /** Null if there is no such thing. */
  async find<T>(path: string): Promise<T | null> {
    const answer = await this.ask('GET', path);
    return answer.status === 404 ? null : (read(`GET ${path}`, answer) as T);
  }

  /** Status and text of any answer. */
  async ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  }
}

/** The body of a successful answer; null if it is empty. Throws a sentence for another answer. */
export function read(call: string, { status, text }: { status: number; text: string }): unknown {
  if (status >= 300) throw new Error(`${call} answered ${status}: ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text);
}
