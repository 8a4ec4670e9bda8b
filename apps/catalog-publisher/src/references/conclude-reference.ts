import { categoryNodes } from '@gondola/shared/catalog/category-tree';
import { fieldOfProperty } from '@gondola/shared/catalog/name-translation';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { applied, type Conclusion, refused, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Evidence } from '@gondola/shared/outcomes/outcomes';
import { type FieldReason, type Language, reasonText } from '@gondola/shared/outcomes/reason-codes';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { platformErrors, shownError } from '../platform/platform-error.ts';
import { NO_REFERENCE_EFFECT, type ReferenceEffect, type ReferenceProgress } from './stored-reference.ts';

/** Outcome of a brand or category record, with its effect. */
export interface ConcludedReference {
  readonly conclusion: Conclusion;
  readonly effect: ReferenceEffect;
}

type Sent = Pick<ReferenceProgress, 'route' | 'body' | 'sent'>;

/** Concludes a record that was applied, or on which the settling time brought no failure (rule 24). */
export function concludeEntered(progress: Sent, evidence: Evidence): ConcludedReference {
  const { route, sent } = progress;
  const effect: ReferenceEffect =
    route === 'delete'
      ? { ...NO_REFERENCE_EFFECT, removed: sent.map(({ externalReference }) => externalReference) }
      : { ...NO_REFERENCE_EFFECT, entered: sent };
  return { conclusion: applied(evidence), effect };
}

/** Concludes a record with refusals; the rest of a tree was applied. */
export function concludeFailed(
  progress: Sent,
  failures: ReadonlyMap<string, JsonRecord | null>,
  evidence: 'event' | 'none',
  about: { readonly kind: ReferenceKind; readonly language: Language },
): ConcludedReference {
  const [first] = failures.values();
  const conclusion = refused(about.language, {
    evidence,
    errors: failureErrors(progress.body, failures, about),
    platform: shownError(first ?? null),
  });
  const entered =
    progress.route === 'delete'
      ? []
      : progress.sent.filter(({ externalReference }) => !failures.has(externalReference));
  return { conclusion, effect: { ...NO_REFERENCE_EFFECT, entered } };
}

/** Concludes a sent record whose outcome is unknown. */
export function concludeUnconfirmed({ sent }: Sent, language: Language): ConcludedReference {
  const inDoubt = sent.map(({ externalReference }) => externalReference);
  return { conclusion: unconfirmed(language), effect: { ...NO_REFERENCE_EFFECT, inDoubt } };
}

/** True if a removal is refused because the entity does not exist: that is the wanted state (rule 16). */
export function isGone({ route }: Sent, failures: ReadonlyMap<string, JsonRecord | null>): boolean {
  return (
    route === 'delete' && failures.size > 0 && [...failures.values()].every((error) => error?.['statusCode'] === 404)
  );
}

function failureErrors(
  body: JsonRecord,
  failures: ReadonlyMap<string, JsonRecord | null>,
  { kind, language }: { readonly kind: ReferenceKind; readonly language: Language },
): FieldReason[] {
  const prefixes = new Map(categoryNodes(body).map(({ reference, prefix }) => [reference, prefix]));
  const fieldOf = (property: string): string => fieldOfProperty(property, kind);
  return [...failures].flatMap(([reference, error]) => {
    const prefix = prefixes.get(reference) ?? '';
    const errors = platformErrors(error, language, { fieldOf, prefix });
    // Names the category of a tree, also if the platform gives no reason.
    if (errors.length > 0 || prefix === '') return errors;
    const message = reasonText('PLATFORM_REFUSED', language);
    return [{ field: `${prefix}externalReference`, code: 'PLATFORM_REFUSED' as const, message, hint: reference }];
  });
}
