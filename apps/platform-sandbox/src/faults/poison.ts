import { isJsonArray, isJsonObject, numberText, type Json } from '../values/exact-json.ts';

export const POISONS = ['nul', 'half-surrogate', 'long', 'wrong-type'] as const;
/** Values that JSON may hold, and that few receivers expect. */
export type Poison = (typeof POISONS)[number];

type Path = readonly string[];

const LONG = 10_240;
/** One value of each type. */
const OTHERS: readonly Json[] = [{ unexpected: true }, [1], true, 12_345, 'unexpected', null];

/** A value and its poison; each share from 0 to below 1 chooses where nothing is named. */
export interface Poisoning {
  /** Keys and places with dots between, as `data.items.0.reference`. */
  readonly path: string | undefined;
  readonly poison: Poison | undefined;
  readonly leafShare: number;
  readonly poisonShare: number;
}

/** The value with one poisoned leaf; unchanged if the named one does not exist. */
export function poisoned(value: Json, { path, poison, leafShare, poisonShare }: Poisoning): Json {
  const leaves = leavesOf(value);
  const at = path === undefined ? leaves[Math.floor(leafShare * leaves.length)] : path.split('.');
  const [chosen, rest] = choice(POISONS, poisonShare);
  return at === undefined ? value : replaced(value, at, (leaf) => poisonedLeaf(leaf, poison ?? chosen, rest));
}

/** Paths of all values that are neither a list nor an object; an empty one of these counts as a leaf. */
export function leavesOf(value: Json, path: Path = []): Path[] {
  const entries = isJsonArray(value) || isJsonObject(value) ? Object.entries(value as Record<string, Json>) : [];
  return entries.length === 0 ? [path] : entries.flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

function replaced(value: Json, [key, ...rest]: Path, by: (leaf: Json) => Json): Json {
  if (key === undefined) return by(value);
  if (isJsonArray(value)) return value.map((each, index) => (String(index) === key ? replaced(each, rest, by) : each));
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: replaced(value[key] as Json, rest, by) };
}

function poisonedLeaf(leaf: Json, poison: Poison, share: number): Json {
  const text = typeof leaf === 'string' ? leaf : '';
  switch (poison) {
    case 'nul':
      return `${text.slice(0, 1)}\u0000${text.slice(1)}`;
    case 'half-surrogate':
      return `${text.slice(0, 1)}\ud800${text.slice(1)}`;
    case 'long':
      return text.padEnd(LONG, 'x');
    default:
      return choice(
        OTHERS.filter((other) => typeOf(other) !== typeOf(leaf)),
        share,
      )[0];
  }
}

/** An element chosen by a share from 0 to below 1, and a share for the next choice. */
function choice<T>(list: readonly T[], share: number): [T, number] {
  const scaled = share * list.length;
  const index = Math.floor(scaled);
  return [list[index] as T, scaled - index];
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (numberText(value) !== undefined) return 'number';
  return isJsonArray(value) ? 'list' : typeof value;
}
