import { fieldReason } from '@gondola/shared/fields/field-reasons';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import { type FieldReason, type Language, type Reason, reasonOf } from '@gondola/shared/outcomes/reason-codes';
import type { OrderConclusion, Problem } from '../commands/decision.ts';
import type { PublishedState } from '../orders/published-state.ts';
import type { HeadCommand } from './lane-situation.ts';

/** A concluded command, ready for its result. */
export interface ConcludedCommand {
  readonly commandId: string;
  readonly conclusion: Conclusion;
}

/** Concludes a command, with the reasons in the tenant's language. */
export function concludedCommand(
  { outcome, evidence, platform, reason, problems, warnings, data }: OrderConclusion,
  { commandId, judged }: HeadCommand,
  published: PublishedState,
  language: Language,
): ConcludedCommand {
  const reasons = (found: readonly Problem[] = []): FieldReason[] =>
    found.map(({ code, field, skuExternalReference, params = {} }) =>
      fieldReason(code, language, { field, skuExternalReference }, { params }),
    );
  const orderNumber = judged.kind === 'invalid' ? null : judged.orderNumber;
  const why =
    judged.kind === 'invalid' && outcome === 'invalid'
      ? { reason: judged.reason, errors: judged.errors }
      : { reason: reasonFor(reason, orderNumber, language), errors: reasons(problems) };
  const revision = revisionOf(published);
  const rest = { platform, ...why, warnings: reasons(warnings), revision, ...(data !== undefined && { data }) };
  return { commandId, conclusion: { outcome, evidence, ...rest } };
}

export function withdrawnBy({ effect }: OrderConclusion, published: PublishedState): ConcludedCommand[] {
  if (effect?.kind !== 'withdraw') return [];
  const { commandId } = effect;
  const nothing = { reason: null, errors: [], platform: null, revision: revisionOf(published) };
  return [{ commandId, conclusion: { outcome: 'withdrawn', evidence: 'none', ...nothing } }];
}

/** Null before the first event. */
function revisionOf({ revision }: PublishedState): number | null {
  return revision === 0 ? null : revision;
}

function reasonFor(reason: OrderConclusion['reason'], orderNumber: string | null, language: Language): Reason | null {
  if (reason === null) return null;
  if ('given' in reason) return reason.given;
  const params = reason.code === 'ORDER_UNKNOWN' && orderNumber !== null ? { given: orderNumber } : reason.params;
  return reasonOf(reason.code, language, { ...reason, ...(params !== undefined && { params }) });
}
