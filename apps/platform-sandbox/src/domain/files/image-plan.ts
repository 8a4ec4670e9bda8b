import { violation } from '../catalog/field-rules.ts';
import { invalid, type CoreRefusal, type Violation } from '../core-error.ts';
import type { StoredFile } from './stored-file.ts';

/** An upload of images: `orders` in the sequence of the files, as texts of the form; empty where it had none. */
export interface ImageUpload {
  readonly externalReference: string;
  readonly orders: readonly string[];
  readonly files: readonly StoredFile[];
}

interface PlacedImage {
  readonly file: StoredFile;
  /** Among the images of the SKU; 1 is the main one. */
  readonly displayOrder: number;
}

export type ImagePlan =
  | { readonly kind: 'placed'; readonly images: readonly PlacedImage[] }
  | { readonly kind: 'refused'; readonly refusal: CoreRefusal };

/**
 * Where the images of one upload go, all of them or none. Without `orders` they follow those that the SKU has, in the
 * sequence of the upload (docs/platform.md, "Files").
 */
export function placeImages({ files, orders }: ImageUpload, lastOrder: number): ImagePlan {
  const found: Violation[] = [];
  for (const [index, { mediaType }] of files.entries()) {
    if (!mediaType.startsWith('image/')) found.push(violation(`Files[${index}]`, 'must be an image.'));
  }
  const given = orders.map(Number);
  if (orders.some((order) => !/^\d{1,9}$/.test(order)) || given.includes(0)) {
    found.push(violation('Orders', 'must be whole numbers from 1.'));
  }
  if (orders.length > 0 && orders.length !== files.length) {
    found.push(violation('Orders', 'must be as many as the files.'));
  }
  if (found.length > 0) return { kind: 'refused', refusal: invalid(found) };
  const images = files.map((file, index) => ({ file, displayOrder: given[index] ?? lastOrder + index + 1 }));
  return { kind: 'placed', images };
}
