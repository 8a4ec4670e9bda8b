import type { MediaType } from '@gondola/shared/files/media-types';
import type { HeldImage } from '../uploads/held-content.ts';

const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
};
const HASH_DIGITS = 12;
const MAX_REFERENCE = 60;

/**
 * The name under which an image is sent. It differs with SKU, place and content, so that whatever the platform makes of
 * names, one image never takes another's address.
 */
export function imageFileName(skuExternalReference: string, { order, sha256, mediaType }: HeldImage): string {
  const reference = skuExternalReference.replaceAll(/[^\w.-]+/g, '-').slice(0, MAX_REFERENCE);
  return `${reference}_${order}_${sha256.slice(0, HASH_DIGITS)}.${EXTENSIONS[mediaType]}`;
}

export function invoiceFileName(orderNumber: number): string {
  return `${orderNumber}.${EXTENSIONS['application/pdf']}`;
}
