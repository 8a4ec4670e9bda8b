import { fieldReason, given } from '@gondola/shared/fields/field-reasons';
import {
  type ImageMediaType,
  IMAGE_MEDIA_TYPES,
  type MediaType,
  PDF_MEDIA_TYPE,
} from '@gondola/shared/files/media-types';
import type { FieldReason, Language } from '@gondola/shared/outcomes/reason-codes';
import type { ContentFault } from './content-verdict.ts';
import { faultReason } from './fault-reasons.ts';

/** An image that does not fit into any request (rule 32). */
const IMAGE_TOO_LARGE: Readonly<Record<Language, (limitBytes: number) => string>> = {
  'pt-BR': (limit) => `A imagem não cabe no limite da plataforma por envio, de ${limit} bytes.`,
  en: (limit) => `The image does not fit into the platform's limit of ${limit} bytes per request.`,
};

/** Hints where an upload is of the other media type than the command takes. */
const IS_PDF: Readonly<Record<Language, string>> = {
  'pt-BR': 'O conteúdo é um PDF. Envie uma imagem PNG, JPEG, WebP ou GIF.',
  en: 'The content is a PDF. Send a PNG, JPEG, WebP or GIF.',
};
const IS_IMAGE: Readonly<Record<Language, string>> = {
  'pt-BR': 'O conteúdo é uma imagem. Envie o DANFE em PDF.',
  en: 'The content is a picture. Send the DANFE as PDF.',
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

/** Faults of contents that no command may hold, by the ids of their uploads. */
export type ContentFaults = ReadonlyMap<string, ContentFault>;

/**
 * Images of a command: each upload must exist, be an image by its own bytes, and fit into one request (rules 31,
 * 32).
 *
 * @param rules.fits true if an image alone is within the platform's limit
 * @param rules.faults of the contents that were judged
 */
export function holdImages(
  images: readonly NamedImage[],
  found: FoundUploads,
  rules: {
    readonly language: Language;
    readonly limitBytes: number;
    readonly fits: (image: HeldImage) => boolean;
    readonly faults: ContentFaults;
  },
): Hold<readonly HeldImage[]> {
  const { language, limitBytes, fits, faults } = rules;
  const hint = IMAGE_TOO_LARGE[language](limitBytes);
  const errors: FieldReason[] = [];
  const held: HeldImage[] = [];
  for (const { order, uploadId, field } of images) {
    const upload = found.get(uploadId);
    const mediaType = IMAGE_MEDIA_TYPES.find((known) => known === upload?.mediaType);
    const fault = faults.get(uploadId);
    if (upload === undefined) {
      errors.push(fieldReason('UPLOAD_UNKNOWN', language, { field }, { params: given(uploadId, language) }));
    } else if (mediaType === undefined)
      errors.push(fieldReason('NOT_IMAGE', language, { field }, { hint: IS_PDF[language] }));
    else if (fault !== undefined) errors.push(faultReason(fault, { code: 'NOT_IMAGE', field, language }));
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
  { language, faults }: { readonly language: Language; readonly faults: ContentFaults },
): Hold<HeldUpload> {
  const upload = found.get(uploadId);
  if (upload === undefined) {
    const params = given(uploadId, language);
    return { kind: 'invalid', errors: [fieldReason('UPLOAD_UNKNOWN', language, { field }, { params })] };
  }
  if (upload.mediaType !== PDF_MEDIA_TYPE) {
    return { kind: 'invalid', errors: [fieldReason('NOT_PDF', language, { field }, { hint: IS_IMAGE[language] })] };
  }
  const fault = faults.get(uploadId);
  if (fault === undefined) return { kind: 'held', content: upload };
  return { kind: 'invalid', errors: [faultReason(fault, { code: 'NOT_PDF', field, language })] };
}
