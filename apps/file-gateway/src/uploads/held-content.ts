import { fieldReason, given } from '@gondola/shared/fields/field-reasons';
import {
  type ImageMediaType,
  IMAGE_MEDIA_TYPES,
  type MediaType,
  PDF_MEDIA_TYPE,
} from '@gondola/shared/files/media-types';
import type { FieldReason, Language } from '@gondola/shared/outcomes/reason-codes';

/** An image that does not fit into any request (rule 32). */
const IMAGE_TOO_LARGE: Readonly<Record<Language, (limitBytes: number) => string>> = {
  'pt-BR': (limit) => `A imagem não cabe no limite da plataforma por envio, de ${limit} bytes.`,
  en: (limit) => `The image does not fit into the platform's limit of ${limit} bytes per request.`,
};

const NOT_WHOLE: Readonly<Record<Language, string>> = {
  'pt-BR': 'O conteúdo está danificado, incompleto, ou é também outra coisa; ou a imagem tem pixels demais.',
  en: 'The content is damaged, incomplete, or something else as well; or the image has too many pixels.',
};

/** An upload that a command names. */
export interface NamedUpload {
  readonly uploadId: string;
  /** Position of the content in the command, for reasons. */
  readonly field: string;
}

/** An image and its position; 1 is the main image. */
export interface NamedImage extends NamedUpload {
  readonly order: number;
}

/** An upload that a command holds: it is stored until the command is concluded, even past its expiry. */
export interface HeldUpload {
  readonly uploadId: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: MediaType;
}

export interface HeldImage extends HeldUpload {
  readonly mediaType: ImageMediaType;
  /** Position at which it is shown; 1 is the main image. */
  readonly order: number;
}

export type Hold<T> =
  | { readonly kind: 'held'; readonly content: T }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldReason[] };

/** The uploads that exist, by id. */
export type FoundUploads = ReadonlyMap<string, HeldUpload>;

/**
 * Images of a command: each upload must exist, be an image by its own bytes, and fit into one request (rules 31,
 * 32).
 *
 * @param rules.fits true if an image alone is within the platform's limit
 * @param rules.broken ids of uploads that are not complete files of their media type
 */
export function holdImages(
  images: readonly NamedImage[],
  found: FoundUploads,
  rules: {
    readonly language: Language;
    readonly limitBytes: number;
    readonly fits: (image: HeldImage) => boolean;
    readonly broken: ReadonlySet<string>;
  },
): Hold<readonly HeldImage[]> {
  const { language, limitBytes, fits, broken } = rules;
  const hint = IMAGE_TOO_LARGE[language](limitBytes);
  const errors: FieldReason[] = [];
  const held: HeldImage[] = [];
  for (const { order, uploadId, field } of images) {
    const upload = found.get(uploadId);
    const mediaType = IMAGE_MEDIA_TYPES.find((known) => known === upload?.mediaType);
    if (upload === undefined) {
      errors.push(fieldReason('UPLOAD_UNKNOWN', language, { field }, { params: given(uploadId, language) }));
    } else if (mediaType === undefined) errors.push(fieldReason('NOT_IMAGE', language, { field }));
    else if (broken.has(uploadId))
      errors.push(fieldReason('NOT_IMAGE', language, { field }, { hint: NOT_WHOLE[language] }));
    else if (!fits({ ...upload, mediaType, order })) {
      errors.push(fieldReason('CONTENT_NOT_ALLOWED', language, { field }, { hint }));
    } else held.push({ ...upload, mediaType, order });
  }
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'held', content: held };
}

/** PDF of a command; it must be a PDF by its own bytes (rule 33). */
export function holdPdf(
  { uploadId, field }: NamedUpload,
  found: FoundUploads,
  { language, broken }: { readonly language: Language; readonly broken: ReadonlySet<string> },
): Hold<HeldUpload> {
  const upload = found.get(uploadId);
  if (upload === undefined) {
    const params = given(uploadId, language);
    return { kind: 'invalid', errors: [fieldReason('UPLOAD_UNKNOWN', language, { field }, { params })] };
  }
  const isPdf = upload.mediaType === PDF_MEDIA_TYPE;
  if (isPdf && !broken.has(uploadId)) return { kind: 'held', content: upload };
  const hint = isPdf ? { hint: NOT_WHOLE[language] } : {};
  return { kind: 'invalid', errors: [fieldReason('NOT_PDF', language, { field }, hint)] };
}
