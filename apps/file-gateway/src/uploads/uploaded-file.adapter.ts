import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';

/** Reason why a body does not hold exactly one file. */
export type BodyProblem = 'no-file' | 'malformed' | 'broken-off';

export class UploadBodyError extends Error {
  readonly code: BodyProblem;
  constructor(code: BodyProblem, cause?: unknown) {
    super(`The body of an upload is ${code}`, { cause });
    this.name = 'UploadBodyError';
    this.code = code;
  }
}

/** Name of the part with the file; text fields beside it are skipped. */
const FILE_PART = 'file';
/** Much more than any client sends beside a file. */
const LIMITS = { fields: 20, fieldSize: 16_384, fieldNameSize: 200, parts: 22, headerPairs: 50 };

/**
 * The file of a request as it arrives: the part `file` of `multipart/form-data`, else the body itself. A caller
 * that stops reading early can still answer; the rest of the body is then skipped. Throws `UploadBodyError`.
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

/** A part may lack a file name, because some clients leave it out. */
function isPartAFile(name?: string, contentType?: string, fileName?: string): boolean {
  return name === FILE_PART || fileName !== undefined || contentType === 'application/octet-stream';
}

/** `file` is the part's content; `end` settles once the whole body is parsed and holds nothing else. */
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
    // The parser reports a broken part by an event, which would crash the process once the part is no longer read.
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
  // Prevents an unhandled rejection of the second promise after the first has failed.
  file.promise.catch(() => {});
  end.promise.catch(() => {});
  return { file: file.promise, end: end.promise };
}

/** Does not destroy the stream when its reader stops: that would close the connection before the answer. */
function pieces(stream: Readable): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array> };
}
