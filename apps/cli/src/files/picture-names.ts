/** File name of a picture, read without knowing the SKUs. */
export interface PictureName {
  readonly path: string;
  /** Name without its extension, which may be a SKU's reference. */
  readonly whole: string;
  /** Set if the name ends in `-` or `_` and a number; `reference` is the text before it. */
  readonly numbered: { readonly reference: string; readonly number: number } | null;
}

/** Pictures of a SKU, the main one first. */
export interface SkuPictures {
  readonly externalReference: string;
  readonly paths: readonly string[];
}

export interface GroupedPictures {
  readonly skus: readonly SkuPictures[];
  /** Files whose names match no known SKU. */
  readonly unknown: readonly string[];
  /** SKUs that cannot be ordered because two pictures have the same number. */
  readonly clashes: readonly SkuPictures[];
}

const PICTURE = /^(.+)\.(?:jpe?g|png|webp|gif)$/i;
const NUMBERED = /^(.+)[-_](\d{1,3})$/;
/** Number of a picture without one: it is the main picture. */
const NO_NUMBER = -1;

/** Null if the name is not that of a picture. */
export function pictureNameOf(path: string): PictureName | null {
  const [, whole] = PICTURE.exec(path.replace(/^.*[/\\]/, '')) ?? [];
  if (whole === undefined) return null;
  const [, reference, digits] = NUMBERED.exec(whole) ?? [];
  const numbered = reference === undefined ? null : { reference, number: Number(digits) };
  return { path, whole, numbered };
}

/** References that the names may mean. */
export function referencesIn(names: readonly PictureName[]): string[] {
  return [
    ...new Set(names.flatMap(({ whole, numbered }) => [whole, ...(numbered === null ? [] : [numbered.reference])])),
  ];
}

/**
 * Assigns pictures to SKUs and orders them: `<sku>.jpg` is the main picture, followed by `<sku>-1.jpg` or
 * `<sku>_1.jpg` by number. A reference may itself end in a number: the longest known SKU counts.
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
