import { categoryNodes } from '@gondola/shared/catalog/category-tree';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { contentOf } from '../records/read-record.ts';
import type { PreparedReference } from './prepare-reference.ts';
import { referenceProgress, type StoredReference } from './stored-reference.ts';

/** An open record of a category, before or after it was sent. */
interface OpenMove {
  readonly identity: string;
  readonly value: Uint8Array | null;
  readonly progress: string | null;
}

/** Parents that a record gives to categories; null at the root. A category whose parent it does not name stays. */
export function movesOf({ identity, value, progress }: OpenMove): [child: string, parent: string | null][] {
  const sent = referenceProgress(progress)?.sent;
  if (sent !== undefined) return sent.map(({ externalReference, parent }) => [externalReference, parent]);
  const content = contentOf({ value, externalReference: identity });
  return categoryNodes(content).flatMap(({ reference, container, own }): [string, string | null][] => {
    if (reference === null || container === undefined) return [];
    if (container !== null) return [[reference, container]];
    const parent = own['parentExternalReference'];
    if (parent === null) return [[reference, null]];
    return isIdentityText(parent) ? [[reference, parent]] : [];
  });
}

/** True if the record puts a category that is in the shop below another one than before, or at the root. */
export function isMove(prepared: PreparedReference, stored: ReadonlyMap<string, StoredReference>): boolean {
  if (prepared.kind !== 'ready') return false;
  return prepared.progress.sent.some(({ externalReference, parent }) => {
    const before = stored.get(externalReference);
    return before?.exists === true && before.parent !== parent;
  });
}

/**
 * Records, oldest first, that were not sent yet and would be refused for a cycle, by the present parents or by those
 * that the records before them leave. Later moves wait until it is decided whether they are, so that none of them
 * decides it.
 */
export function undecidedMoves<R extends OpenMove>(
  open: readonly R[],
  parents: ReadonlyMap<string, string | null>,
): R[] {
  const left = new Map(parents);
  return open.filter((record) => {
    const moves = new Map(movesOf(record));
    const isRefused = [parents, left].some((around) =>
      [...moves.keys()].some((child) => isBelowItself(child, moves, around)),
    );
    for (const [child, parent] of moves) left.set(child, parent);
    return isRefused && referenceProgress(record.progress) === null;
  });
}

/**
 * True if the moves of a record may be refused for a cycle while earlier open records are carried out: by the parents
 * that the other categories have or that those records give them, in any order.
 */
export function mayFindCycle(
  own: ReadonlyMap<string, string | null>,
  parents: ReadonlyMap<string, string | null>,
  earlier: readonly (readonly [child: string, parent: string | null])[],
): boolean {
  const given = Map.groupBy(earlier, ([child]) => child);
  const above = (child: string): (string | null)[] => {
    const parent = own.get(child);
    if (parent !== undefined) return [parent];
    return [parents.get(child) ?? null, ...(given.get(child) ?? []).map(([, each]) => each)];
  };
  return [...own.keys()].some((child) => {
    const seen = new Set<string>();
    const open = above(child);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === child) return true;
      if (at === null || seen.has(at)) continue;
      seen.add(at);
      open.push(...above(at));
    }
    return false;
  });
}

function isBelowItself(
  child: string,
  moves: ReadonlyMap<string, string | null>,
  parents: ReadonlyMap<string, string | null>,
): boolean {
  const seen = new Set<string>();
  for (let at: string | null = child; at !== null;) {
    if (seen.has(at)) return true;
    seen.add(at);
    const parent: string | null | undefined = moves.get(at);
    at = parent === undefined ? (parents.get(at) ?? null) : parent;
  }
  return false;
}

/** True if the record is refused for the place of other categories, or for products that use its brand. */
export function isRefusedFor(prepared: PreparedReference, code: 'REFERENCE_CYCLE' | 'REFERENCE_IN_USE'): boolean {
  if (prepared.kind !== 'concluded') return false;
  const { reason, errors } = prepared.conclusion;
  return reason?.code === code || errors.some((error) => error.code === code);
}

/** Share of the time waited so far after which a record looks again at the others that it waits for. */
const LOOKS = 20;
const MAX_PAUSE_MS = 60_000;

/**
 * Pause of a record whose answer depends on open records of others (rules 24, 29); null once it has waited as long as
 * for a reference.
 *
 * It waits for earlier records only, so that no two wait for one another.
 */
export function othersPauseMs(
  { receivedAt }: { readonly receivedAt: string },
  { nowMs, referencesMs, leastMs }: { readonly nowMs: number; readonly referencesMs: number; readonly leastMs: number },
): number | null {
  const waitedMs = nowMs - Date.parse(receivedAt);
  if (waitedMs >= referencesMs) return null;
  return Math.min(Math.max(leastMs, waitedMs / LOOKS), MAX_PAUSE_MS, referencesMs - waitedMs);
}
