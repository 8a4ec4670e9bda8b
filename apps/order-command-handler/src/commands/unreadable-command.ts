import { CANCELLATION_ANALYSIS, VALUES_RECALCULATED } from '@gondola/shared/orders/order-statuses';
import { isCancelled } from './cancel-order.ts';
import type { OrderAttempt } from './command-progress.ts';
import {
  type CommandSettings,
  type CommandTurn,
  conclude,
  type Decision,
  deadlineStep,
  LAG_WAIT_MS,
  type Problem,
} from './decision.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { evidenceOf } from './sent-change.ts';

type Unreadable = Pick<
  CommandTurn,
  'state' | 'progress' | 'pdfOutcome' | 'deadlineInMs' | 'nowMs' | 'isLagging' | 'otherOperationIds'
>;

/** True if a call, or a request to file-gateway to make one, may have reached the platform. */
export function isSent({ attempts, pdfAsked }: Pick<CommandTurn['progress'], 'attempts' | 'pdfAsked'>): boolean {
  return attempts.length > 0 || pdfAsked !== null;
}

/**
 * Decides about a command whose stored record is not valid any more: its tenant's units were changed, a newer version
 * checks more, or its content is damaged. Nothing is sent again. `invalid` says that nothing was sent, so it is only
 * for a command that sent nothing; any other ends by what its own operations and file-gateway show:
 *
 *   nothing sent ───────────────────────────────────────────────▶ invalid
 *   only the PDF ── file-gateway's result ──────────────────────▶ its outcome
 *   sent ── an event of an own operation, a cancelled order ────▶ applied
 *     ├──── each attempt refused ───────────────────────────────▶ refused
 *     └──── deadline ───────────────────────────────────────────▶ unconfirmed
 */
export function decideUnreadable(turn: Unreadable, settings: CommandSettings): Decision {
  const { progress, pdfOutcome } = turn;
  if (!isSent(progress)) return conclude('invalid', 'none');
  if (progress.attempts.length === 0) return byPdf(pdfOutcome) ?? atDeadline(turn, settings);
  const proof = proofOf(turn);
  if (proof !== null) return withPdf(turn, conclude('applied', evidenceOf(proof)));
  const refusals = progress.attempts.map((attempt) => refusalOf(attempt, turn));
  const last = refusals.at(-1);
  if (last == null || refusals.includes(null)) return atDeadline(turn, settings);
  return conclude('refused', last.evidence, { code: 'PLATFORM_REFUSED' }, last.platform);
}

/** The end of a command that only had a PDF attached; null while file-gateway has not answered. */
function byPdf(pdf: Unreadable['pdfOutcome']): Decision | null {
  if (pdf === null) return null;
  const { outcome, evidence, reason, platform, attempts } = pdf;
  if (outcome === 'applied' || outcome === 'unchanged') return conclude(outcome, evidence);
  if (outcome === 'unconfirmed') return conclude('unconfirmed', evidence, { code: 'PLATFORM_SILENT' });
  const why = reason === null ? { code: 'PLATFORM_REFUSED' as const } : { given: reason };
  return conclude(outcome === 'invalid' && attempts === 0 ? 'invalid' : 'refused', evidence, why, platform);
}

/** The fact that shows that an attempt was carried out; null for none. */
function proofOf({ state, progress: { attempts } }: Unreadable): OrderFact | null {
  const facts = (state?.facts ?? []).filter(({ failure }) => !failure);
  const own = facts.find((fact) => attempts.some((attempt) => isOf(fact, attempt) && isReached(fact, attempt)));
  if (own !== undefined || state === null) return own ?? null;
  const isCancel = attempts.some(({ step }) => step === 'cancel');
  return isCancel && isCancelled(state) ? state.statusFact : null;
}

function isOf({ operationId }: OrderFact, { answer }: OrderAttempt): boolean {
  return answer.kind === 'accepted' && answer.operationId !== null && answer.operationId === operationId;
}

/** 750 is only the progress of a cancel. */
function isReached({ status }: OrderFact, { step }: OrderAttempt): boolean {
  if (step === 'cancel') return status !== null && status !== CANCELLATION_ANALYSIS;
  return step === 'picking' ? status === VALUES_RECALCULATED : status !== null;
}

function refusalOf(attempt: OrderAttempt, { state }: Unreadable) {
  const event = state?.facts.find((fact) => fact.failure && isOf(fact, attempt));
  if (event !== undefined) return { platform: event.error, evidence: 'event' } as const;
  const { answer } = attempt;
  if (answer.kind !== 'refused') return null;
  return { platform: { statusCode: answer.status, message: answer.message }, evidence: 'none' } as const;
}

/** Says of an invoice whether its PDF is open, too: file-gateway may not have answered, or refused it. */
function withPdf({ progress, pdfOutcome }: Unreadable, decision: Decision & { kind: 'conclude' }): Decision {
  const isDone = pdfOutcome?.outcome === 'applied' || pdfOutcome?.outcome === 'unchanged';
  if (progress.pdfAsked === null || isDone) return decision;
  const warnings: readonly Problem[] = [{ code: 'PDF_UNCONFIRMED', field: 'pdf' }];
  return { kind: 'conclude', conclusion: { ...decision.conclusion, warnings } };
}

function atDeadline(turn: Unreadable, settings: CommandSettings): Decision {
  const next = deadlineStep(turn, true, settings);
  if (next === 'catch-up') return { kind: 'wait', ms: LAG_WAIT_MS };
  if (next === 'over') return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
  return { kind: 'wait', ms: turn.deadlineInMs };
}
