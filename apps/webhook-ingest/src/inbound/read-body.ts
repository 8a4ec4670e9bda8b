import type { Readable } from 'node:stream';

/** The sender went away, or broke off, before the end of the body. */
export class BodyBrokenOffError extends Error {
  readonly code = 'BODY_BROKEN_OFF';
  /** Of the answer, should anybody still hear it. */
  readonly statusCode = 400;
  constructor(cause?: unknown) {
    super('The body broke off', { cause });
    this.name = 'BodyBrokenOffError';
  }
}

/**
 * A request's whole body as it came; null for one of more than `limit` bytes. The rest of such a one is let run out unread: a connection
 * that is closed while the sender still writes often takes the answer with it. How long that may last is the server's request time-out.
 * Rejects with `BodyBrokenOffError`.
 */
export function readBody(stream: Readable, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let hasEnded = false;
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      resolve(null);
    });
    stream.on('end', () => {
      hasEnded = true;
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    stream.on('error', (error) => reject(new BodyBrokenOffError(error)));
    stream.on('close', () => {
      if (!hasEnded) reject(new BodyBrokenOffError());
    });
  });
}
