import type { HeldImage } from '../uploads/held-content.ts';

/** Images of a SKU as Gondola last applied them, stored between two commands. */
export interface AppliedImages {
  /** SHA-256 of the last applied image, by its position as text. */
  readonly sha256ByOrder: Readonly<Record<string, string>>;
  /** Addresses that were new in the file list after those images were applied. */
  readonly urls: readonly string[];
}

export const NO_IMAGES: AppliedImages = { sha256ByOrder: {}, urls: [] };

/**
 * Images that are not applied yet (rule 32: unchanged content is not sent again). Applied images count only while
 * the file list still holds all of them: somebody may have removed an image by other means.
 */
export function changedImages(
  images: readonly HeldImage[],
  known: AppliedImages,
  listed: readonly string[],
): readonly HeldImage[] {
  const there = new Set(listed);
  if (!known.urls.every((url) => there.has(url))) return images;
  return images.filter(({ order, sha256 }) => known.sha256ByOrder[order] !== sha256);
}

/** Known images after an upload was undone: its images and their addresses are gone. */
export function afterUndoing(
  known: AppliedImages,
  undone: readonly HeldImage[],
  urls: readonly string[],
): AppliedImages {
  const gone = new Map(undone.map(({ order, sha256 }) => [String(order), sha256]));
  const left = Object.entries(known.sha256ByOrder).filter(([order, sha256]) => gone.get(order) !== sha256);
  return { sha256ByOrder: Object.fromEntries(left), urls: known.urls.filter((url) => !urls.includes(url)) };
}

/** Known images after images were applied; `listed` is the file list after that. */
export function afterApplying(
  known: AppliedImages,
  applied: readonly HeldImage[],
  newUrls: readonly string[],
  listed: readonly string[],
): AppliedImages {
  const entries = applied.map(({ order, sha256 }) => [order, sha256] as const);
  const there = new Set(listed);
  const urls = new Set([...known.urls, ...newUrls].filter((url) => there.has(url)));
  return { sha256ByOrder: { ...known.sha256ByOrder, ...Object.fromEntries(entries) }, urls: [...urls] };
}
