import { createHash } from 'node:crypto';
import type { ImageMediaType } from '@gondola/shared/files/media-types';
import type { WireProfile } from './wire-profile.ts';

/** An image of a SKU that is transferred by SFTP. */
export interface DroppedImage {
  readonly skuExternalReference: string;
  /** Display position; 1 is the main image. */
  readonly order: number;
  readonly sha256: string;
  readonly mediaType: ImageMediaType;
}

const EXTENSIONS: Readonly<Record<ImageMediaType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};
const HASH_DIGITS = 12;
const PLAIN_REFERENCE = /^[\w.-]{1,60}$/;
const MAX_READABLE = 40;

/** Folder for a tenant's images (docs/platform.md, "Files"). */
export function dropFolder(
  { sftpFolder }: Pick<WireProfile, 'sftpFolder'>,
  tenant: { readonly contractFolder: string; readonly contractAccountId: string },
): string {
  return filled(sftpFolder, tenant);
}

/**
 * File name of an image in that folder, by the wire profile (rule 34). Images of different SKUs or positions never
 * have the same name.
 */
export function dropFileName(
  { sftpFileName }: Pick<WireProfile, 'sftpFileName'>,
  { skuExternalReference, order, sha256, mediaType }: DroppedImage,
): string {
  const [hash, extension] = [sha256.slice(0, HASH_DIGITS), EXTENSIONS[mediaType]];
  return filled(sftpFileName, { sku: fileSafe(skuExternalReference), order: String(order), sha256: hash, extension });
}

/** True if a file name in that folder can belong to an image of the SKU, at any position and with any content. */
export function isDropFileOf(
  { sftpFileName }: Pick<WireProfile, 'sftpFileName'>,
  skuExternalReference: string,
  fileName: string,
): boolean {
  const sku = literally(fileSafe(skuExternalReference));
  const extension = `(${Object.values(EXTENSIONS).join('|')})`;
  const values = { sku, order: String.raw`\d+`, sha256: `[0-9a-f]{${HASH_DIGITS}}`, extension };
  return new RegExp(`^${filled(literally(sftpFileName), values)}$`).test(fileName);
}

/**
 * Replaces the characters of a reference that a file name cannot contain, and adds a hash to keep names distinct.
 */
function fileSafe(reference: string): string {
  if (PLAIN_REFERENCE.test(reference)) return reference;
  const readable = reference.replaceAll(/[^\w.-]+/g, '-').slice(0, MAX_READABLE);
  const hash = createHash('sha256').update(reference.toWellFormed()).digest('hex').slice(0, HASH_DIGITS);
  return `${readable}~${hash}`;
}

/** Escapes a name for a pattern; of its possible characters, only the dot has a special meaning. */
function literally(text: string): string {
  return text.replaceAll('.', String.raw`\.`);
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
