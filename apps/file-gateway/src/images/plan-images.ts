import type { ImageSet, PlacedContent } from '../platform/applied-images.ts';

/** Changes that make the shop's images what a command says. */
export interface ImagePlan<Image extends PlacedContent> {
  /** Images that are uploaded. */
  readonly send: readonly Image[];
  /** Known sets that stay. */
  readonly kept: readonly ImageSet[];
  /** Known sets whose addresses are removed once all images are shown. */
  readonly dropped: readonly ImageSet[];
  /** Addresses that are removed once all images are shown. */
  readonly removed: readonly string[];
}

interface Wanted<Image extends PlacedContent> {
  readonly images: readonly Image[];
  /** All other images are removed. */
  readonly replace: boolean;
}

/**
 * Plans a command by the sets that Gondola uploaded and the file list (rule 32). Images that a set shows already are
 * not sent again. Nothing shows which address of a set has which image, so a set stays or goes as a whole:
 *
 *   each of its images is wanted as it is, or is not in the way ─▶ kept
 *   an image is in the way (its place has another image now, or it has another place)
 *     ├─ and all others are wanted, too ─▶ dropped: the wanted ones are sent again
 *     └─ else ─▶ kept, and the result says what stays
 *   some of its addresses are gone, so any of its images may be
 *     ├─ and as many are wanted again as addresses are left ─▶ dropped
 *     └─ else ─▶ kept, and the result says what stays
 *   `replace` ─▶ kept if all its images are wanted as they are, else dropped
 */
export function planImages<Image extends PlacedContent>(
  { images, replace }: Wanted<Image>,
  sets: readonly ImageSet[],
  list: readonly string[],
): ImagePlan<Image> {
  const wanted = wantedOf(images);
  const there = new Set(list);
  const shown = new Set<string>();
  const kept: ImageSet[] = [];
  const dropped: ImageSet[] = [];
  for (const set of largestFirst(sets)) {
    const left = set.urls.filter((url) => there.has(url)).length;
    if (left === 0) continue;
    const isKept = replace ? isExactly(set, wanted, shown) && isSound(set, there) : stays(set, left, { wanted, shown });
    (isKept ? kept : dropped).push(set);
    if (isKept && isWhole(set, there)) for (const image of set.images) shown.add(keyOf(image));
  }
  const staying = new Set(kept.flatMap(({ urls }) => urls));
  const removed = (replace ? list : dropped.flatMap(({ urls }) => urls)).filter(
    (url) => there.has(url) && !staying.has(url),
  );
  return { send: images.filter((image) => !shown.has(keyOf(image))), kept, dropped, removed: [...new Set(removed)] };
}

/** Images that the shop shows at the end of a command. */
export interface ShownImages {
  /** Positions of the command whose images are shown. */
  readonly orders: readonly number[];
  /** Positions of other images that Gondola uploaded and whose content it knows. */
  readonly otherOrders: readonly number[];
  /** Addresses of other images, of which Gondola knows neither place nor content. */
  readonly otherUrls: readonly string[];
  /** True if another image has, or may have, a place or content of the command. */
  readonly isInTheWay: boolean;
}

/** Compares a command with the known sets after it and the file list. */
export function shownImages(
  images: readonly PlacedContent[],
  sets: readonly ImageSet[],
  list: readonly string[],
): ShownImages {
  const wanted = wantedOf(images);
  const there = new Set(list);
  const shown = new Set<string>();
  const others: PlacedContent[] = [];
  const sound = largestFirst(sets).filter((set) => isSound(set, there));
  for (const image of sound.flatMap((set) => set.images)) {
    const key = keyOf(image);
    if (wanted.keys.has(key) && !shown.has(key)) shown.add(key);
    else others.push(image);
  }
  const certain = new Set(sound.flatMap(({ urls }) => urls));
  const otherUrls = [...new Set(list)].filter((url) => !certain.has(url));
  const doubled = sets.filter((set) => !sound.includes(set) && isWhole(set, there));
  for (const image of doubled.flatMap((set) => set.images)) shown.add(keyOf(image));
  return {
    orders: images.filter((image) => shown.has(keyOf(image))).map(({ order }) => order),
    otherOrders: others.map(({ order }) => order).toSorted((one, other) => one - other),
    otherUrls,
    isInTheWay: otherUrls.length > 0 || others.some((image) => isInTheWay(image, wanted, shown)),
  };
}

interface WantedPlaces {
  readonly keys: ReadonlySet<string>;
  readonly orders: ReadonlySet<number>;
  readonly contents: ReadonlySet<string>;
}

function wantedOf(images: readonly PlacedContent[]): WantedPlaces {
  return {
    keys: new Set(images.map(keyOf)),
    orders: new Set(images.map(({ order }) => order)),
    contents: new Set(images.map(({ sha256 }) => sha256)),
  };
}

function stays(
  set: ImageSet,
  left: number,
  { wanted, shown }: { readonly wanted: WantedPlaces; readonly shown: ReadonlySet<string> },
): boolean {
  if (left < Math.max(set.urls.length, set.images.length))
    return set.images.filter(({ sha256 }) => wanted.contents.has(sha256)).length < left;
  // An address too many belongs to a repeated upload or to somebody else: without a sign of whom, all stay.
  if (set.urls.length > set.images.length) return true;
  const isFree = ({ order, sha256 }: PlacedContent) => !wanted.orders.has(order) && !wanted.contents.has(sha256);
  return !set.images.some((image) => isInTheWay(image, wanted, shown)) || set.images.some(isFree);
}

/** True if an image has a place or content of the command and is not what the command says, or stands there already. */
function isInTheWay(image: PlacedContent, wanted: WantedPlaces, shown: ReadonlySet<string>): boolean {
  const key = keyOf(image);
  if (wanted.keys.has(key)) return shown.has(key);
  return wanted.orders.has(image.order) || wanted.contents.has(image.sha256);
}

function isExactly({ images }: ImageSet, wanted: WantedPlaces, shown: ReadonlySet<string>): boolean {
  return images.map(keyOf).every((key) => wanted.keys.has(key) && !shown.has(key));
}

/** True if all its images are there. */
function isWhole({ images, urls }: ImageSet, there: ReadonlySet<string>): boolean {
  return urls.length >= images.length && urls.every((url) => there.has(url));
}

/** True if all its images are there, and each of its addresses is one of them. */
function isSound(set: ImageSet, there: ReadonlySet<string>): boolean {
  return isWhole(set, there) && set.urls.length === set.images.length;
}

function largestFirst(sets: readonly ImageSet[]): ImageSet[] {
  return sets.toSorted((one, other) => other.images.length - one.images.length);
}

function keyOf({ order, sha256 }: PlacedContent): string {
  return `${order}/${sha256}`;
}
