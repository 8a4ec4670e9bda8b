import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * One POST of these bytes. Returns the status of the answer, null when none came: no connection, no usable url, too
 * slow, given up. Each has a connection of its own, so that a receiver that restarts does not cost an attempt for a
 * connection that had died unseen.
 */
export async function postWebhook({ url, headers, body, timeoutMs, signal }: WebhookPost): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const target = new URL(url);
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      agent: false,
      signal: limit,
    };
    const request = send(target, options, (response) => {
      response.resume();
      // The answer is there when all of it is; half an answer is none.
      response.once('end', () => resolve(response.statusCode ?? null));
      response.once('error', () => resolve(null));
      response.once('close', () => resolve(null));
    });
    request.once('error', () => resolve(null));
    request.end(body);
  } catch {
    return null;
  }
  return promise;
}
