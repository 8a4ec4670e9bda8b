import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { HttpError } from '../http/http-error.ts';

export interface FilePart {
  readonly fileName: string;
  /** The part's own Content-Type in lower case, without parameters. */
  readonly mediaType: string;
  readonly content: BusboyFileStream;
}

/** A part as shown in the log of calls. */
type LoggedPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly fileName: string; readonly contentType: string; readonly size: number };

export interface Form {
  /** Values of each field, in the order of arrival. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly parts: readonly LoggedPart[];
}

export interface FormOptions {
  readonly contentType: string;
  readonly maxBytes: number;
  /** Reads each file in turn to its end; an error ends the reading of the form. */
  readonly onFile: (file: FilePart) => Promise<void>;
}

const FILES = 'files';
const LIMITS = { files: 1_000, fields: 1_000, parts: 2_000, fieldSize: 4_096, headerPairs: 20, headerSize: 16_384 };

/**
 * Reads a `multipart/form-data` body as it arrives. Parts named `files` are files, all others are fields. On
 * failure, the rest of the body is read and discarded, so that the caller can still be answered.
 */
export async function readForm(body: Readable, { contentType, maxBytes, onFile }: FormOptions): Promise<Form> {
  const parser = parserOf(contentType);
  const fields = new Map<string, string[]>();
  const parts: LoggedPart[] = [];
  const streams: BusboyFileStream[] = [];
  const failed = Promise.withResolvers<never>();
  // Prevents an unhandled rejection if it fails after the end.
  failed.promise.catch(() => {});
  const finished = new Promise<void>((resolve) => {
    parser.once('finish', resolve);
  });
  let files = Promise.resolve();
  let received = 0;
  const countBytes = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > maxBytes) failed.reject(tooLarge(maxBytes));
  };
  const takeAfter = async (before: Promise<void>, file: FilePart): Promise<void> => {
    await before;
    await onFile(file);
    const { fileName, mediaType, content } = file;
    parts.push({ name: FILES, fileName, contentType: mediaType, size: content.bytesRead });
  };
  parser.on('file', (_name, content, fileName, _encoding, mediaType) => {
    streams.push(content);
    // A stream that fails before its turn has no other listener.
    content.on('error', () => {});
    files = takeAfter(files, { fileName: fileName ?? '', mediaType, content });
    files.catch(failed.reject);
  });
  parser.on('field', (name, value) => {
    fields.set(name, [...(fields.get(name) ?? []), value]);
    parts.push({ name, value });
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => failed.reject(malformed('The form has too many parts')));
  }
  parser.on('error', () => failed.reject(malformed('The form is malformed')));
  body.once('error', failed.reject);
  body.once('close', () => {
    if (!body.readableEnded) failed.reject(malformed('The connection closed before the end of the body'));
  });
  body.on('data', countBytes);
  body.pipe(parser);
  try {
    await Promise.race([finished, failed.promise]);
    await Promise.race([files, failed.promise]);
    return { fields, parts };
  } catch (err) {
    body.unpipe(parser);
    body.resume();
    for (const stream of streams) stream.destroy(err as Error);
    await files.catch(() => {});
    throw err;
  } finally {
    body.off('data', countBytes);
  }
}

function parserOf(contentType: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: LIMITS,
      isPartAFile: (name) => name === FILES,
    });
  } catch {
    throw malformed('The form has no boundary');
  }
}

export function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, 'TOO_LARGE', `The body has more than ${maxBytes} bytes`);
}

function malformed(message: string): HttpError {
  return new HttpError(400, 'FORM_MALFORMED', message);
}
