import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';

/** Why a body has no one file in it. */
export type BodyProblem = 'no-file' | 'malformed' | 'broken-off';

export class UploadBodyError extends Error {
  readonly code: BodyProblem;
  constructor(code: BodyProblem, cause?: unknown) {
    super(`The body of an upload is ${code}`, { cause });
    this.name = 'UploadBodyError';
    this.code = code;
  }
}

/** The part that holds the file; text fields beside it are read over. */
const FILE_PART = 'file';
/** Much more than any client sends beside a file. */
const LIMITS = { fields: 20, fieldSize: 16_384, fieldNameSize: 200, parts: 22, headerPairs: 50 };

/**
 * The file in a request, as it comes: the part `file` of `multipart/form-data`, else the body itself. A caller that
 * stops reading early can still answer; the rest of the body is then skipped. Throws `UploadBodyError`.
 */
export function uploadedFile(request: IncomingMessage, contentType: string): AsyncIterable<Uint8Array> {
  return /^multipart\/form-data\b/i.test(contentType) ? filePart(request, contentType) : wholeBody(request);
}

async function* wholeBody(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces(request);
  } catch (error) {
    throw new UploadBodyError('broken-off', error);
  } finally {
    request.resume();
  }
}

async function* filePart(request: IncomingMessage, contentType: string): AsyncGenerator<Uint8Array> {
  const parser = multipartParser(contentType);
  const { file, end } = firstFile(request, parser);
  request.pipe(parser);
  try {
    yield* pieces(await file);
    await end;
  } catch (error) {
    throw error instanceof UploadBodyError ? error : new UploadBodyError('malformed', error);
  } finally {
    request.unpipe(parser);
    request.resume();
  }
}

function multipartParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS, isPartAFile });
  } catch (error) {
    throw new UploadBodyError('malformed', error);
  }
}

/** Also without a file name: some clients leave it out. */
function isPartAFile(name?: string, contentType?: string, fileName?: string): boolean {
  return name === FILE_PART || fileName !== undefined || contentType === 'application/octet-stream';
}

/** `file` is the part's content; `end` settles when the whole body was understood, and nothing else was in it. */
function firstFile(request: IncomingMessage, parser: BusboyInstance): { file: Promise<Readable>; end: Promise<void> } {
  const file = Promise.withResolvers<Readable>();
  const end = Promise.withResolvers<void>();
  let part: BusboyFileStream | null = null;
  const fail = (error: UploadBodyError): void => {
    file.reject(error);
    end.reject(error);
    part?.destroy(error);
  };
  parser.on('file', (name, stream) => {
    // The parser reports a broken part by an event, which would end the process if nobody read the part any more.
    stream.on('error', () => {});
    if (name === FILE_PART && part === null) {
      part = stream;
      file.resolve(stream);
      return;
    }
    stream.resume();
    fail(new UploadBodyError('no-file'));
  });
  parser.on('finish', () => (part === null ? fail(new UploadBodyError('no-file')) : end.resolve()));
  parser.on('error', (error) => fail(new UploadBodyError('malformed', error)));
  request.once('close', () => {
    if (!request.complete) fail(new UploadBodyError('broken-off'));
  });
  // The one that is not awaited any more once the other has failed.
  file.promise.catch(() => {});
  end.promise.catch(() => {});
  return { file: file.promise, end: end.promise };
}

/** Does not destroy the stream when its reader stops: with it, the connection and the answer would be gone. */
function pieces(stream: Readable): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array> };
}
