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
 * Sends one POST with these bytes. Returns the status of the answer; null without an answer: no connection,
 * unusable url, too slow, aborted. Each POST has its own connection, so that a restart of the receiver never costs
 * an attempt on a dead connection.
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
      // Only a complete answer counts.
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
