import { z } from 'zod';
import { violation } from '../catalog/field-rules.ts';
import { invalid, type OrRefused, type Violation } from '../values/refusal.ts';
import type { StoredFile } from '../files/stored-file.ts';
import { orderInName } from '../sftp/drop-path.ts';
import { isGuid } from '../values/guid.ts';

/** An upload of images: `orders` in the sequence of the files, as texts of the form; empty if the form has none. */
export interface ImageUpload {
  readonly externalReference: string;
  readonly orders: readonly string[];
  readonly files: readonly StoredFile[];
}

/** A call that links files placed by SFTP: by their names or, without names, by the SKU's standardized names. */
export interface ImageLinking extends Pick<ImageUpload, 'externalReference' | 'orders'> {
  readonly fileNames: readonly string[];
}

/** The upload that a linking call stands for; an order that the call lacks is read from the standardized name. */
export function linkedUpload(
  { externalReference, fileNames, orders }: ImageLinking,
  placed: readonly StoredFile[],
  pattern: string,
): OrRefused<{ readonly kind: 'linked'; readonly upload: ImageUpload }> {
  if (fileNames.length > 0) {
    const files = fileNames.map((name) => placed.find(({ fileName }) => fileName === name) ?? name);
    const missing = files.find((file) => typeof file === 'string');
    if (missing !== undefined) return notPlaced(`No file ${missing} was placed.`);
    return { kind: 'linked', upload: { externalReference, orders, files: files as StoredFile[] } };
  }
  const named = placed.flatMap((file) => {
    const order = orderInName(file.fileName, externalReference, pattern);
    return order === undefined ? [] : [{ file, order }];
  });
  if (named.length === 0) return notPlaced('No file of this SKU was placed.');
  const upload = { externalReference, orders: named.map(({ order }) => order), files: named.map(({ file }) => file) };
  return { kind: 'linked', upload };
}

function notPlaced(detail: string) {
  return { kind: 'refused', refusal: { statusCode: 404, detail, violations: [] } } as const;
}

interface PlacedImage {
  readonly file: StoredFile;
  /** Position among the images of the SKU; 1 is the main one. */
  readonly displayOrder: number;
}

export type ImagePlan = OrRefused<{ readonly kind: 'placed'; readonly images: readonly PlacedImage[] }>;

/**
 * Positions for the images of one upload, all or none. Without `orders` they follow the SKU's existing images, in
 * the sequence of the upload (docs/platform.md, "Files").
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

const texts = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);

/**
 * Body of `DELETE /v1/Storages/file/{externalReference}`: `fileType`, and `urls` or `storageIds` (docs/platform.md,
 * "Files"); converted to the ids of the files to remove.
 */
export const RemovalBody = z
  .object({ fileType: z.literal([1, 2, 3, 4, 5]), urls: texts, storageIds: texts })
  .refine(({ urls, storageIds }) => urls.length + storageIds.length > 0, 'urls or storageIds must be informed')
  .transform(({ fileType, urls, storageIds }) => ({
    fileType,
    ids: [...urls.flatMap(idOfUrl), ...storageIds.map((id) => id.toLowerCase())],
  }));

/** Id in `…/files/<id>/<name>`, with any host: the sandbox may have moved since it returned the URL. */
function idOfUrl(url: string): string[] {
  const id = /\/files\/([^/]+)\//.exec(url)?.[1]?.toLowerCase();
  return id !== undefined && isGuid(id) ? [id] : [];
}
