import type { JsonValue } from '@gondola/shared/json/json-digits';
import type { Evidence, FinalOutcome } from '@gondola/shared/results/outcomes';
import {
  type FieldReason,
  type Language,
  type Reason,
  type ReasonCode,
  reasonOf,
} from '@gondola/shared/results/reason-codes';

/** The end of a command, as its result tells it. */
export interface Conclusion {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason: Reason | null;
  readonly errors: readonly FieldReason[];
  /** What a command that only reads answers. */
  readonly data: JsonValue;
  /** The platform's error object. */
  readonly platform: JsonValue;
}

const NOTHING_MORE = { reason: null, errors: [], data: null, platform: null } as const;

export function applied(data: JsonValue = null): Conclusion {
  return { ...NOTHING_MORE, outcome: 'applied', evidence: 'read-back', data };
}

/** Found good; nothing was sent, and nothing was read at the platform. */
export function checked(data: JsonValue): Conclusion {
  return { ...NOTHING_MORE, outcome: 'applied', evidence: 'none', data };
}

/** Sent and not refused, but nothing that can be read tells it from what was there before. */
export function presumed(): Conclusion {
  return { ...NOTHING_MORE, outcome: 'applied', evidence: 'presumed' };
}

/** Nothing was sent. */
export function unchanged(): Conclusion {
  return { ...NOTHING_MORE, outcome: 'unchanged', evidence: 'already-in-state' };
}

/** Stopped here, with the first error as the reason; nothing was sent. */
export function invalid(errors: readonly FieldReason[]): Conclusion {
  const [first] = errors;
  if (first === undefined) throw new Error('A command is invalid for a reason');
  const { skuExternalReference: _none, ...reason } = first;
  return { ...NOTHING_MORE, outcome: 'invalid', evidence: 'none', reason, errors };
}

/** The platform's no. */
export function refused(
  language: Language,
  no: { readonly evidence: Evidence; readonly platform: JsonValue; readonly code?: ReasonCode; readonly hint?: string },
): Conclusion {
  const { evidence, platform, code = 'PLATFORM_REFUSED', hint } = no;
  const reason = reasonOf(code, language, hint === undefined ? {} : { hint });
  return { ...NOTHING_MORE, outcome: 'refused', evidence, reason, platform };
}

/** Sent, and silent to the end. */
export function unconfirmed(language: Language): Conclusion {
  return {
    ...NOTHING_MORE,
    outcome: 'unconfirmed',
    evidence: 'none',
    reason: reasonOf('PLATFORM_SILENT', language),
  };
}
