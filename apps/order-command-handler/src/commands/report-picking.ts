import { decimalTextToNumberToken } from '@gondola/shared/json/digits';
import { judged } from '@gondola/shared/fields/record-shape';
import { lineOf } from '@gondola/shared/orders/picked-item-errors';
import type { PickedLine, PickingOutcome } from '@gondola/shared/orders/picking-items';
import { isLost, isNameless } from '@gondola/shared/commands/attempts';
import { type Digits, isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { isSameMoney, moneyDifference, moneyText } from '@gondola/shared/units-and-money/money';
import { CLOSED_TO_COMMANDS, VALUES_RECALCULATED } from '@gondola/shared/orders/order-statuses';
import type { Evidence } from '@gondola/shared/outcomes/outcomes';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { unitFrom } from '@gondola/shared/units-and-money/units';
import {
  type CommandBasis,
  type CommandSettings,
  type CommandTurn,
  type Decision,
  type Problem,
  conclude,
  invalid,
  mayRead,
} from './decision.ts';
import { type OrderFact, compareRecency, PAYLOAD_READ } from '../facts/order-fact.ts';
import { withSkus } from '../skus/match-skus.ts';
import { defineOrderCommand, type TenantUnits } from './order-command.ts';
import { statusOf } from '../facts/order-state.ts';
import { hashOfLines, type PickingPlan, planPicking } from './plan-picking.ts';
import {
  afterDeadline,
  afterLostAnswer,
  answersTo,
  evidenceOf,
  findRefusal,
  isOurs,
  type OrderLook,
  type Refusal,
} from './sent-change.ts';

export interface PickingSituation extends CommandBasis {
  readonly finalOrderPrice: number | Digits;
  /** Mistakes in its SKUs, by the currently known order and catalog. */
  readonly problems: readonly Problem[];
  /** The last known final price; null for unknown. */
  readonly finalPrice: string | null;
}

interface Picking {
  /** The whole total with freight, with the ERP's own digits; `moneyText` compares. */
  readonly finalOrderPrice: number | Digits;
  readonly items: readonly PickedLine[];
}

export const reportPicking = defineOrderCommand<Picking>({
  name: 'ReportPicking',
  queue: 'main',
  deadline: 'commandMs',
  target: VALUES_RECALCULATED,
  read: (record, units) => ({
    finalOrderPrice: judged(decimalTextToNumberToken(record['finalOrderPrice'])),
    items: pickedLines(itemsOf(record), units),
  }),
  skusOf: ({ items }) => items.map(({ skuExternalReference }) => skuExternalReference),
  decide: (asked, turn, settings) => {
    const { attempts } = turn.progress;
    const { finalOrderPrice } = asked;
    if (attempts.length === 0) {
      const { problems } = planOf(asked, turn, settings);
      return decidePicking({ ...turn, finalOrderPrice, problems }, settings);
    }
    const mayRepeat = () => isSameAgain(planOf(asked, turn, settings), turn);
    const isOnce = attempts.some(isLost) && !mayRepeat();
    return decidePicking(
      { ...turn, finalOrderPrice, problems: [] },
      isOnce ? { ...settings, maxAttempts: 1 } : settings,
    );
  },
  change: (asked, _step, turn, settings) => {
    const { items } = planOf(asked, turn, settings);
    return { kind: 'picking', finalOrderPrice: asked.finalOrderPrice, items };
  },
  publishedBy: {
    kind: 'event',
    isCauseOf: ({ finalOrderPrice }, turn, fact) => {
      const asked = { ...turn, finalOrderPrice };
      if (fact.eventType === PAYLOAD_READ) return fact.status === VALUES_RECALCULATED && isReadBack(asked);
      return fact.hash === findRecalculation(asked)?.hash;
    },
  },
});

function planOf({ items }: Picking, { values, skus, state }: CommandTurn, { isByLine }: CommandSettings): PickingPlan {
  const lines = values === null ? [] : withSkus(values, skus).items;
  const mayBeWeighed = (state?.recalculation ?? state?.payloadFact ?? null) !== null;
  return planPicking(items, { lines, skus, mayBeWeighed }, isByLine);
}

/** True if the call may be made once more: it would change nothing if it was carried out, late or not (rule 16). */
function isSameAgain(plan: PickingPlan, { values, progress }: CommandTurn): boolean {
  if (!plan.isRepeatable || plan.problems.length > 0) return false;
  return !plan.followsLines || progress.attempts[0]?.linesBefore === hashOfLines(values?.items ?? []);
}

/** Items that are objects; validation has reported any others. */
function itemsOf({ items }: JsonRecord): readonly JsonRecord[] {
  return Array.isArray(items) ? items.filter((item: JsonValue) => isPlainRecord(item)) : [];
}

function pickedLines(items: readonly JsonRecord[], units: TenantUnits): PickedLine[] {
  return items.map((item) => ({
    skuExternalReference: isIdentityText(item['skuExternalReference']) ? item['skuExternalReference'] : '',
    line: lineOf(item),
    outcome: item['outcome'] as PickingOutcome,
    substitutes: typeof item['substitutes'] === 'string' ? item['substitutes'] : null,
    quantity: quantityOf(item['quantity'], units),
    unitPrice: item['unitPrice'] ?? null,
    total: item['total'] ?? null,
  }));
}

function quantityOf(quantity: JsonValue | undefined, units: TenantUnits): PickedLine['quantity'] {
  if (!isPlainRecord(quantity)) return null;
  const unit = unitFrom(quantity['unit'], units);
  return unit === null ? null : { value: quantity['value'] ?? null, unit };
}

const PICKING_REFUSALS = ['Order_UpdateFailed', 'Operation_Failed'];

/**
 * `ReportPicking` (rules 5, 10, 16, 19).
 *
 *   queued ── not allowed, SKU not in the order ───────────▶ invalid     (all of it missing: NOTHING_PICKED)
 *     ▼ send ◀───────────────────────────────┐
 *   sent ── our 1300 ────────────────────────┼─────────────▶ applied     event, warned where its total is another
 *     ├── refused ───────────────────────────┼─────────────▶ refused     PLATFORM_REFUSED
 *     ├── answer lost, then payload: as before ┘ (bounded; once only, if it would change another line again)
 *     │                            our price, which is new ▶ applied     read-back
 *     └── deadline, then payload: our price, which is new ─▶ applied     read-back
 *                                 else ────────────────────▶ unconfirmed PLATFORM_SILENT, or refused ORDER_CANCELLED
 *
 * A 1300 of another operation counts only with the reported price. A read price proves nothing if it was the same
 * before.
 */
export function decidePicking(situation: PickingSituation, settings: CommandSettings): Decision {
  const { progress, deadlineInMs } = situation;
  const last = progress.attempts.at(-1);
  if (last === undefined) return beforeFirstAttempt(situation);
  const confirmed = findRecalculation(situation);
  if (confirmed !== null) return applied(situation, evidenceOf(confirmed));
  if (isReadBack(situation)) return applied(situation, 'read-back');
  const refusal = findRefusal(situation, progress, PICKING_REFUSALS);
  if (refusal !== null) return afterRefusal(situation, refusal, settings);
  if (deadlineInMs !== null && deadlineInMs <= 0) return afterDeadline(situation, lookOf(situation), settings);
  if (isLost(last)) return afterLostAnswer(situation, last, lookOf(situation), settings);
  return { kind: 'wait', ms: deadlineInMs ?? settings.deadlineMs };
}

/**
 * Of several attempts, or one without an answer, another one than the refused may have been taken: the payload is read
 * before the result.
 */
function afterRefusal(situation: PickingSituation, refusal: Refusal, settings: CommandSettings): Decision {
  const { attempts, payload } = situation.progress;
  const mayBeTaken = attempts.length > 1 || attempts.some(isNameless);
  if (mayBeTaken && payload?.purpose !== 'refusal' && mayRead(situation, settings))
    return { kind: 'read-payload', purpose: 'refusal' };
  return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
}

/**
 * The result has the platform's recalculated total beside the reported one: if they differ, the invoice must have the
 * platform's (rule 14).
 */
function applied({ finalOrderPrice, finalPrice }: PickingSituation, evidence: Evidence): Decision {
  const reported = moneyText(finalOrderPrice);
  const data = {
    finalOrderPrice: reported,
    recalculatedTotal: finalPrice,
    difference: moneyDifference(finalPrice, finalOrderPrice),
  };
  const params = { given: reported ?? '', expected: finalPrice ?? '' };
  const warnings: Problem[] =
    finalPrice === null
      ? [{ code: 'PRICE_UNKNOWN', field: 'finalOrderPrice' }]
      : isSameMoney(finalPrice, finalOrderPrice)
        ? []
        : [{ code: 'PRICE_MISMATCH', field: 'finalOrderPrice', params }];
  const { conclusion } = conclude('applied', evidence);
  return { kind: 'conclude', conclusion: { ...conclusion, data, warnings } };
}

/** The 1300 that confirms the picking; null for none. */
function findRecalculation({
  state,
  progress,
  finalOrderPrice,
  finalPrice,
}: Pick<PickingSituation, 'state' | 'progress' | 'finalOrderPrice' | 'finalPrice'>): OrderFact | null {
  const all = (state?.facts ?? []).filter((fact) => !fact.failure && fact.status === VALUES_RECALCULATED);
  const ours = all.find((fact) => isOurs(fact, progress));
  if (ours !== undefined) return ours;
  const values = state?.valuesFact ?? null;
  if (values === null || !isSameMoney(finalPrice ?? undefined, finalOrderPrice)) return null;
  return (
    all.find(
      (fact) => compareRecency(values, fact) >= 0 && progress.attempts.some((attempt) => answersTo(fact, attempt)),
    ) ?? null
  );
}

function beforeFirstAttempt({ state, problems }: PickingSituation): Decision {
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  if (status !== null && CLOSED_TO_COMMANDS.has(status)) return invalid('ORDER_CANCELLED');
  if (!state.paid) return invalid('NOT_PAID');
  const [first] = problems;
  if (first === undefined) return { kind: 'send' };
  const { conclusion } = conclude('invalid', 'none', { code: first.code, field: first.field });
  return { kind: 'conclude', conclusion: { ...conclusion, problems } };
}

/** True if the read payload has the reported price, and another price was known before the call. */
function isReadBack({ progress, finalOrderPrice }: Pick<PickingSituation, 'progress' | 'finalOrderPrice'>): boolean {
  const { payload, attempts } = progress;
  const priceBefore = attempts[0]?.priceBefore ?? null;
  if (payload?.kind !== 'found' || payload.attempts === 0 || priceBefore === null) return false;
  return isSameMoney(payload.price ?? undefined, finalOrderPrice) && !isSameMoney(priceBefore, finalOrderPrice);
}

/** The order's payload, read; what it shows of the status is a fact. */
function lookOf({ progress, state }: PickingSituation): OrderLook {
  return {
    kind: 'read-payload',
    read: progress.payload,
    statusFor: () => (state === null ? null : statusOf(state)),
    hasMoved: false,
  };
}
