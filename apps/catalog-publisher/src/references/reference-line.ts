import { readCatalogRecord } from '@gondola/shared/catalog/catalog-record';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { superseded } from '@gondola/shared/results/conclusion';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { contentOf, highest } from '../records/read-record.ts';
import { concludePlan } from '../records/record-plan.ts';
import { bothOver, hasAllOf, overtakenFromText } from '../waiting/overtaking.ts';
import type { planReference } from './decide-reference.ts';
import type { ReferenceLane } from './load-references.service.ts';
import { type PreparedReference, prepareReference } from './prepare-reference.ts';
import { type ReferenceSurroundings, SHOWN } from './reference-rules.ts';
import {
  NO_REFERENCE_EFFECT,
  type ReferenceEffect,
  type ReferenceProgress,
  type StoredReference,
} from './stored-reference.ts';

/** A record that may be the next one of its lane. */
export interface ReferenceLineRecord {
  readonly state: ReferenceLane;
  /** The highest version before it; decimal text, null for none. */
  readonly sourceVersion: string | null;
  /** Laid over the record: what later ones have set, and a later parent in place of an unknown one. */
  readonly over: JsonRecord | null;
  readonly isCovered: boolean;
  /** True if it lacks a value of an earlier one that is to create the category: alone it would lose name or place. */
  readonly isPart: boolean;
  readonly invalid: PreparedReference | null;
}

/** Stored state, but the lane's own version. */
type Around = Omit<ReferenceSurroundings, 'sourceVersion' | 'inUse'>;

/** Judges the records of a lane, oldest first, each with those before and behind it. */
export function judgeLine(
  kind: ReferenceKind,
  states: readonly ReferenceLane[],
  around: Around,
): ReferenceLineRecord[] {
  const [first] = states;
  if (first === undefined) return [];
  const { sourceVersion } = first.state;
  const read = states.map((state) => ({ state, ...readOf(state, around.language) }));
  if (read.length === 1) {
    return read.map(({ state, over }) => ({
      state,
      sourceVersion,
      over,
      isCovered: false,
      isPart: false,
      invalid: null,
    }));
  }
  const judged = read.map((each, index) => {
    const before = read.slice(0, index);
    const version = before.reduce((at, one) => highest(at, one.version), sourceVersion);
    const { lane, command } = each.state;
    const record = {
      kind,
      value: command?.value ?? null,
      externalReference: lane.identity,
      over: each.over,
      waited: each.waited,
    };
    const stored = withContents(around.stored, lane.identity, before);
    const then = prepareReference(record, { ...around, stored, sourceVersion: version, inUse: false });
    const isInvalid = then.kind === 'concluded' && then.conclusion.outcome === 'invalid';
    return { ...each, sourceVersion: version, invalid: isInvalid ? then : null };
  });
  return judged.map(({ state, content, over, sourceVersion: version, invalid }, index) => {
    const later = judged.slice(index + 1).filter((each) => each.invalid === null);
    const exists = (around.stored.get(state.lane.identity)?.record ?? null) !== null;
    // A part that stands between needs the category.
    const isCovered = (exists ? later : later.slice(0, 1)).some((each) => hasAllOf(each.content, content));
    const parent = later.findLast((each) => Object.hasOwn(each.content, PARENT))?.content[PARENT];
    const isPart =
      !exists && judged.slice(0, index).some((each) => each.invalid === null && !hasAllOf(content, each.content));
    const isRenamed = !isCovered && parent !== undefined && state.waiting !== null;
    return {
      state,
      sourceVersion: version,
      over: isRenamed ? bothOver(over, { [PARENT]: parent }) : over,
      isCovered,
      isPart,
      invalid: index === 0 ? null : invalid,
    };
  });
}

const PARENT = 'parentExternalReference';

/** Ends a record that waits because a later one has all that it has. */
export function supersededPlan({ sourceVersion }: ReferenceLineRecord): ReturnType<typeof planReference> {
  return concludePlan<ReferenceProgress, ReferenceEffect>(null, {
    conclusion: superseded(),
    effect: NO_REFERENCE_EFFECT,
    sourceVersion,
    warnings: [],
    anomaly: false,
  });
}

/** Content that an ended record set in the shop; null for none. */
export function setByReference(
  state: ReferenceLane,
  { effect, conclusion }: NonNullable<ReferenceLane['end']>,
  language: Language,
): JsonRecord | null {
  const isSet = effect.entered.length + effect.inDoubt.length > 0 || conclusion.outcome === 'unchanged';
  return isSet ? readOf(state, language).content : null;
}

function readOf({ command, lane }: ReferenceLane, language: Language) {
  const value = command?.value ?? null;
  const { op, content, sourceVersion, errors } = readCatalogRecord(
    contentOf({ value, externalReference: lane.identity }),
    language,
  );
  const shown = SHOWN[op];
  const { waiting, over } = overtakenFromText(command?.progress ?? null);
  return {
    content: shown === undefined ? content : { ...content, showInStoreFront: shown },
    version: errors.length > 0 || sourceVersion === null ? null : String(sourceVersion),
    over,
    waited: waiting !== null || over !== null,
  };
}

/** The stored state once contents are applied to a category. */
function withContents(
  stored: ReadonlyMap<string, StoredReference>,
  externalReference: string,
  before: readonly { readonly content: JsonRecord }[],
): ReadonlyMap<string, StoredReference> {
  if (before.length === 0) return stored;
  const known = stored.get(externalReference);
  const record = before.reduce((at: JsonRecord, { content }) => ({ ...at, ...ownOf(content) }), known?.record ?? {});
  const parent = typeof record[PARENT] === 'string' ? record[PARENT] : null;
  const revision = known?.revision ?? '0';
  return new Map([
    ...stored,
    [externalReference, { externalReference, record, parent, exists: true, inDoubt: false, revision }],
  ]);
}

function ownOf(content: JsonRecord): JsonRecord {
  const { children: _, ...own } = content;
  return own;
}
