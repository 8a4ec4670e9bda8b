/** An image by its place and content. */
export interface PlacedContent {
  /** Position at which it is shown; 1 is the main image. */
  readonly order: number;
  readonly sha256: string;
}

/**
 * Images that one request uploaded. Its addresses are known, but nothing shows which of them has which image: images
 * of one set can only be removed together. More addresses than images: one was uploaded twice, or somebody else added
 * one at that time. Fewer: some were removed.
 */
export interface ImageSet {
  readonly images: readonly PlacedContent[];
  readonly urls: readonly string[];
}

/** Images of a SKU as Gondola last applied them, stored between two commands. */
export interface AppliedImages {
  readonly sets: readonly ImageSet[];
  /** Addresses that Gondola removed lately: a file list that shows them is behind. */
  readonly gone: readonly string[];
}

export const NO_IMAGES: AppliedImages = { sets: [], gone: [] };

/** More than the images of a few commands, so that no list that is behind shows an address that is forgotten. */
const MOST_GONE = 200;

/** Known images after these addresses were removed. A set with fewer addresses than images may lack any of them. */
export function afterRemoving({ sets, gone }: AppliedImages, urls: readonly string[]): AppliedImages {
  const removed = new Set(urls);
  const left = sets.map((set) => ({ ...set, urls: set.urls.filter((url) => !removed.has(url)) }));
  return {
    sets: left.filter((set) => set.urls.length > 0),
    gone: [...new Set([...gone, ...urls])].slice(-MOST_GONE),
  };
}
