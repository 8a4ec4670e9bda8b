import { createReadStream } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Address, WrongAddress } from '../operations-api/addresses.ts';
import {
  type ApiFailure,
  type ApiRequest,
  failureOf,
  isEntry,
  parsed,
  textOf,
} from '../operations-api/operations-api.ts';
import type { Upload, Uploads } from '../operations-api/uploads.ts';

interface HttpUploadsOptions {
  readonly addressOf: () => Address | WrongAddress;
  /** Upload token of the tenant; null: none is set. */
  readonly token: string | null;
  /**
   * Longest silence of the server in milliseconds; the whole upload has no limit, because large files take long.
   */
  readonly silentMs: number;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** More than any answer of these routes has. */
const MOST_ANSWER_BYTES = 65_536;

/**
 * file-gateway's `/uploads` over HTTP. A file is streamed with its length announced, so that a file that is too
 * large is refused before it is sent. No call is repeated, and no redirect is followed, because it would disclose
 * the token.
 */
export class HttpUploads implements Uploads {
  readonly #options: HttpUploadsOptions;

  constructor(options: HttpUploadsOptions) {
    this.#options = options;
  }

  async find(sha256: string): Promise<Upload | ApiFailure | null> {
    const asked = { app: 'file-gateway', method: 'GET', path: `/uploads?sha256=${sha256}` } as const;
    const found = await this.#call(asked, {}, async (request) => void request.end());
    return found.kind === 'refused' && found.status === 404 ? null : found;
  }

  async send(
    { path, size }: { readonly path: string; readonly size: number },
    progressed: (bytes: number) => void,
  ): Promise<Upload | ApiFailure> {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': size };
    const asked = { app: 'file-gateway', method: 'POST', path: '/uploads' } as const;
    return this.#call(asked, headers, async (request) => {
      // A file that grows during the upload is sent up to the announced length.
      const content = size === 0 ? Readable.from([]) : createReadStream(path, { end: size - 1 });
      await pipeline(content, (pieces) => counted(pieces, progressed), request);
    });
  }

  async #call(
    request: ApiRequest,
    headers: Readonly<Record<string, string | number>>,
    write: (request: ClientRequest) => Promise<void>,
  ): Promise<Upload | ApiFailure> {
    const { addressOf, token, silentMs: ms } = this.#options;
    const address = addressOf();
    if (address.kind === 'wrong-address') return { kind: 'wrong-address', request, wrong: address };
    if (address.source.kind === 'default') return { kind: 'guessed', request, address };
    if (token === null) return { kind: 'unauthorized', hasToken: false, request, address };
    const url = `${address.url}${request.path}`;
    const open = url.startsWith('https:') ? httpsRequest : httpRequest;
    const call = open(url, { method: request.method, headers: { ...headers, authorization: `Bearer ${token}` } });
    const silent = new Error('silent');
    call.setTimeout(ms, () => call.destroy(silent));
    try {
      const { status, body } = await answered(call, write);
      if (status === 401) return { kind: 'unauthorized', hasToken: true, request, address };
      const upload = status === 200 || status === 201 ? uploadOf(body) : null;
      return upload ?? failureOf(status, body, { request, address });
    } catch (error) {
      if (error === silent) return { kind: 'silent', ms, request, address };
      const { code, message } = error as NodeJS.ErrnoException;
      return { kind: 'unreachable', reason: code ?? message, request, address };
    }
  }
}

async function* counted(pieces: AsyncIterable<Buffer>, progressed: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    yield piece;
    progressed((bytes += piece.length));
  }
}

/** An answer that arrives before everything is sent counts; a later failure of the connection is ignored. */
async function answered(call: ClientRequest, write: (request: ClientRequest) => Promise<void>): Promise<Answered> {
  const answer = new Promise<Answered>((resolve, reject) => {
    call.once('response', (response) => void answerOf(response).then(resolve, reject));
    call.once('error', reject);
  });
  const writing = write(call).catch((error: unknown) => void call.destroy(error as Error));
  try {
    return await answer;
  } finally {
    call.destroy();
    await writing;
  }
}

async function answerOf(response: IncomingMessage): Promise<Answered> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    pieces.push(piece as Buffer);
    bytes += (piece as Buffer).length;
    if (bytes > MOST_ANSWER_BYTES) break;
  }
  return { status: response.statusCode ?? 0, body: parsed(Buffer.concat(pieces).toString('utf8')) };
}

function uploadOf(body: unknown): Upload | null {
  if (!isEntry(body)) return null;
  const { uploadId, sha256, size, mediaType, expiresAt } = body;
  const [id, hash, type, until] = [textOf(uploadId), textOf(sha256), textOf(mediaType), textOf(expiresAt)];
  if (id === null || hash === null || type === null || until === null || typeof size !== 'number') return null;
  return { kind: 'upload', uploadId: id, sha256: hash, size, mediaType: type, expiresAt: until };
}
