import { randomUUID } from 'node:crypto';
import type { ImageMediaType, MediaType } from '@gondola/shared/files/media-types';
import { PlatformClientError } from './platform-client-error.ts';

/**
 * Bytes of known length that can be read from the start, such as a `Blob`. Read once per call, and only while the
 * call is sent.
 */
export interface FileContent {
  /** Size in bytes. */
  readonly size: number;
  stream(): AsyncIterable<Uint8Array>;
}

/** One part of a form: a text field, or a file. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly fileName: string;
      readonly mediaType: MediaType;
      readonly content: FileContent;
    };

export interface MultipartBody {
  /** Value of the `content-type` header. */
  readonly contentType: string;
  /** Size of the whole body in bytes. */
  readonly size: number;
  readonly parts: readonly FormPart[];
  /** The body in chunks. @throws PlatformClientError `CONTENT_NOT_READABLE` */
  chunks(): AsyncIterable<Uint8Array>;
}

const CRLF = '\r\n';

/**
 * A `multipart/form-data` body (RFC 7578) whose length is known before it is sent, so that the platform's limit can
 * be observed without loading files into memory.
 *
 * @param boundary must not occur in the contents: a random text of up to 70 letters, digits and hyphens
 */
export function multipartBody(parts: readonly FormPart[], boundary: string): MultipartBody {
  const heads = parts.map((part) => Buffer.from(`--${boundary}${CRLF}${headOf(part)}${CRLF}${CRLF}`));
  const end = Buffer.from(CRLF);
  const close = Buffer.from(`--${boundary}--${CRLF}`);
  const sizes = parts.map((part, index) => (heads[index]?.length ?? 0) + contentSize(part) + end.length);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: sizes.reduce((sum, size) => sum + size, close.length),
    parts,
    async *chunks() {
      for (const [index, part] of parts.entries()) {
        yield heads[index] ?? end;
        yield* contentOf(part);
        yield end;
      }
      yield close;
    },
  };
}

function headOf(part: FormPart): string {
  const disposition = `Content-Disposition: form-data; name="${quoted(part.name)}"`;
  if (!('content' in part)) return disposition;
  return `${disposition}; filename="${quoted(part.fileName)}"${CRLF}Content-Type: ${part.mediaType}`;
}

/** Encodes as browsers do: a quote or a line break in a name would end the header. */
function quoted(name: string): string {
  return name.toWellFormed().replaceAll(/["\r\n]/g, (character) => encodeURIComponent(character));
}

function contentSize(part: FormPart): number {
  return 'content' in part ? part.content.size : Buffer.byteLength(part.text);
}

/** The bytes of a part. @throws PlatformClientError `CONTENT_NOT_READABLE` */
export async function* contentOf(part: FormPart): AsyncIterable<Uint8Array> {
  if (!('content' in part)) {
    yield Buffer.from(part.text);
    return;
  }
  let size = 0;
  try {
    for await (const chunk of part.content.stream()) {
      size += chunk.byteLength;
      // Another byte would be read as the next request on the connection.
      if (size > part.content.size) break;
      yield chunk;
    }
  } catch (error) {
    throw new PlatformClientError('CONTENT_NOT_READABLE', error);
  }
  if (size !== part.content.size) throw new PlatformClientError('CONTENT_NOT_READABLE');
}

/** An image of a SKU for upload. */
export interface ImageUpload {
  readonly content: FileContent;
  readonly fileName: string;
  readonly mediaType: ImageMediaType;
  /** Display position; 1 is the main image. */
  readonly order: number;
}

/**
 * The form that uploads images: `orders` in the sequence of `files` (docs/platform.md, "Files"; rule 32). The
 * fields precede the files, so that a server which reads the form as a stream knows the positions first.
 */
export function imageUploadBody(images: readonly ImageUpload[]): MultipartBody {
  const parts = [
    ...images.map(({ order }) => ({ name: 'orders', text: String(order) })),
    ...images.map(({ content, fileName, mediaType }) => ({ name: 'files', content, fileName, mediaType })),
  ];
  return multipartBody(parts, randomUUID());
}

/** An image that was transferred by SFTP and is to be linked to its SKU. */
export type PlacedImage = Pick<ImageUpload, 'fileName' | 'order'>;

/**
 * The form that links transferred images: `orders`, and in the same sequence the names, in the field that the wire
 * profile names. Without that field the platform finds the images by their names (docs/platform.md, "Files"; rule
 * 34).
 */
export function imageLinkingBody(images: readonly PlacedImage[], namesField: string | null): MultipartBody {
  const orders = images.map(({ order }) => ({ name: 'orders', text: String(order) }));
  const names = namesField === null ? [] : images.map(({ fileName }) => ({ name: namesField, text: fileName }));
  return multipartBody([...orders, ...names], randomUUID());
}

/**
 * Size of the body that `PlatformClient.uploadImages` sends for these images, for comparison with the platform's
 * limit.
 */
export function uploadImagesSize(images: readonly ImageUpload[]): number {
  return imageUploadBody(images).size;
}
