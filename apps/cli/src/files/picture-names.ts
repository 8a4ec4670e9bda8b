/** The name of a file that is a picture, as far as it can be read without knowing the SKUs. */
export interface PictureName {
  readonly path: string;
  /** Without its ending: the SKU's reference, where that is one. */
  readonly whole: string;
  /** Where it ends in `-` or `_` and a number: what stands before it. */
  readonly numbered: { readonly reference: string; readonly number: number } | null;
}

/** The pictures of a SKU, the main one first. */
export interface SkuPictures {
  readonly externalReference: string;
  readonly paths: readonly string[];
}

export interface GroupedPictures {
  readonly skus: readonly SkuPictures[];
  /** Their names are those of no SKU that is known. */
  readonly unknown: readonly string[];
  /** Two pictures of a SKU have one number, so that it has no order. */
  readonly clashes: readonly SkuPictures[];
}

const PICTURE = /^(.+)\.(?:jpe?g|png|webp|gif)$/i;
const NUMBERED = /^(.+)[-_](\d{1,3})$/;
/** Of the picture that has none: it is the main one. */
const NO_NUMBER = -1;

/** Null for the name of anything else. */
export function pictureNameOf(path: string): PictureName | null {
  const [, whole] = PICTURE.exec(path.replace(/^.*[/\\]/, '')) ?? [];
  if (whole === undefined) return null;
  const [, reference, digits] = NUMBERED.exec(whole) ?? [];
  const numbered = reference === undefined ? null : { reference, number: Number(digits) };
  return { path, whole, numbered };
}

/** The references that may be meant. */
export function referencesIn(names: readonly PictureName[]): string[] {
  return [
    ...new Set(names.flatMap(({ whole, numbered }) => [whole, ...(numbered === null ? [] : [numbered.reference])])),
  ];
}

/**
 * Whose pictures they are, and in which order: `<sku>.jpg` is the main one, then `<sku>-1.jpg` or `<sku>_1.jpg`, by
 * the number. A reference may itself end in a number: the longest one that is a known SKU counts.
 */
export function groupPictures(names: readonly PictureName[], known: ReadonlySet<string>): GroupedPictures {
  const placed = names.map((name) => ({ path: name.path, ...placeOf(name, known) }));
  const unknown = placed.filter(({ reference }) => reference === null).map(({ path }) => path);
  const groups = [...Map.groupBy(placed, ({ reference }) => reference)].flatMap(([externalReference, pictures]) => {
    if (externalReference === null) return [];
    const ordered = pictures.toSorted((one, other) => one.number - other.number);
    const isClear = new Set(ordered.map(({ number }) => number)).size === ordered.length;
    return [{ isClear, sku: { externalReference, paths: ordered.map(({ path }) => path) } }];
  });
  return {
    skus: groups.filter(({ isClear }) => isClear).map(({ sku }) => sku),
    unknown,
    clashes: groups.filter(({ isClear }) => !isClear).map(({ sku }) => sku),
  };
}

function placeOf({ whole, numbered }: PictureName, known: ReadonlySet<string>) {
  if (known.has(whole)) return { reference: whole, number: NO_NUMBER };
  if (numbered !== null && known.has(numbered.reference)) return numbered;
  return { reference: null, number: NO_NUMBER };
}
