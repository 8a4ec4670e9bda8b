import type { AppliedImages } from '../platform/applied-images.ts';

/**
 * Column `applied` of `sku_images`. Versions up to 0.2.0 have no `sets`: they store and read all images as one, and
 * still do while two versions run side by side.
 */
export interface StoredImages {
  /** SHA-256 of the last applied image, by its position as text. */
  readonly sha256ByOrder: Readonly<Record<string, string>>;
  readonly urls: readonly string[];
  readonly sets?: AppliedImages['sets'];
  readonly gone?: AppliedImages['gone'];
}

export function storedImages({ sets, gone }: AppliedImages): StoredImages {
  const entries = sets.flatMap(({ images }) => images.map(({ order, sha256 }) => [order, sha256] as const));
  return { sha256ByOrder: Object.fromEntries(entries), urls: sets.flatMap(({ urls }) => urls), sets, gone };
}

export function imagesFromStored({ sha256ByOrder, urls, sets, gone = [] }: StoredImages): AppliedImages {
  if (sets !== undefined) return { sets, gone };
  const images = Object.entries(sha256ByOrder).map(([order, sha256]) => ({ order: Number(order), sha256 }));
  return { sets: images.length === 0 ? [] : [{ images, urls }], gone };
}
