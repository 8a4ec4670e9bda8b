import { ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import { doubledMs, isFresh, isWithinGrace, lookInMs } from '@gondola/shared/commands/retry';
import { isLost } from '@gondola/shared/commands/attempts';
import type { CommandSettings, Decision } from '../commands/decision.ts';
import { conclude } from '../commands/decision.ts';
import { type InvoiceSituation, invoicedByCommand } from './invoice-situation.ts';
import type { OrderAttempt } from '../commands/command-progress.ts';
import { findRefusal } from '../commands/sent-change.ts';

const REGISTRATION_REFUSALS = ['Operation_Failed'];
/** Longest pause between two readings of one step. */
const MAX_READ_PAUSE_MS = 60_000;

/**
 * The first step of the saga; null once it is done: accepted, if a PDF follows, else shown by the platform.
 *
 *   PUT ── refused ── status: 350 ────▶ done        (rule 16)
 *    │         └── else, if another PUT may have been taken, payload: shows it ─▶ done; else refused
 *    ├── lost ── status: 350; payload: shows it ───▶ done
 *    │                        payload: 404 ────────▶ refused ORDER_UNKNOWN (rule 17)
 *    │                        else the same PUT, three at most (rule 15)
 *    └── accepted ── a PDF follows ────────────────▶ done
 *              └── payload with backoff: shows it ─▶ done; else the same PUT, three at most
 */
export function untilRegistered(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const { state, progress, deadlineInMs, pdf } = situation;
  const last = registrations(situation).at(-1);
  if (last === undefined) return { kind: 'send', step: 'register' };
  if (isShown(situation)) return null;
  const refusal = findRefusal(state, { ...progress, sendings: registrations(situation) }, REGISTRATION_REFUSALS);
  if (refusal !== null) {
    const mayAsk = isWithinGrace(deadlineInMs, settings.readGraceMs);
    if (progress.read?.purpose !== 'refusal' && mayAsk) return { kind: 'read', purpose: 'refusal' };
    const others = registrations(situation).filter(({ answer }) => answer.kind !== 'refused');
    const mayBeTaken = others.length > (refusal.evidence === 'event' ? 1 : 0);
    if (mayBeTaken && progress.payload?.purpose !== 'refusal' && mayAsk)
      return { kind: 'read-payload', purpose: 'refusal' };
    return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
  }
  if (isLost(last)) return afterLostAnswer(situation, last, settings);
  return pdf === null ? untilShown(situation, last, settings) : null;
}

/** Whether the platform has shown the registration since it was first sent. */
export function isShown(situation: InvoiceSituation): boolean {
  const { payload, read } = situation.progress;
  if (invoicedByCommand(situation) !== null) return true;
  return (
    (payload?.registered === true && payload.sendings > 0) || (read?.status === ORDER_INVOICED && read.sendings > 0)
  );
}

/** Reads the payload with backoff; after some readings, and as long as it may, it sends the same registration again. */
export function untilShown(situation: InvoiceSituation, last: OrderAttempt, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs } = situation;
  const count = registrations(situation).length;
  const { payload } = progress;
  const isFirst = payload?.purpose !== 'registration' || payload.sendings !== progress.sendings.length;
  if (!isFirst && payload.count >= READINGS && count < settings.maxSendings) return { kind: 'send', step: 'register' };
  const since = isFirst ? last.at : payload.at;
  const pauseMs = doubledMs(settings.readBackMs, isFirst ? 1 : payload.count + 1, MAX_READ_PAUSE_MS);
  const inMs = Date.parse(since) + pauseMs - nowMs;
  if (inMs > 0) return { kind: 'wait', ms: Math.min(inMs, deadlineInMs ?? inMs) };
  return { kind: 'read-payload', purpose: 'registration' };
}

/** Readings that show nothing before a step does more than read. */
export const READINGS = 4;

function registrations({ progress }: InvoiceSituation): OrderAttempt[] {
  return progress.sendings.filter(({ step }) => step === 'register');
}

/** Rules 15, 16: status, payload, then the same PUT. */
function afterLostAnswer(situation: InvoiceSituation, last: OrderAttempt, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs } = situation;
  const count = progress.sendings.length;
  const { read, payload } = progress;
  const inMs = lookInMs(last, count, { nowMs, lostAnswerMs: settings.lostAnswerMs });
  if (inMs > 0) return { kind: 'wait', ms: Math.min(inMs, deadlineInMs ?? inMs) };
  if (read?.purpose !== 'lost-answer' || read.sendings !== count) return { kind: 'read', purpose: 'lost-answer' };
  const isRead = payload?.purpose === 'lost-answer' || payload?.purpose === 'registration';
  if (!isRead || payload.sendings !== count) return { kind: 'read-payload', purpose: 'lost-answer' };
  if (payload.kind === 'not-found') return conclude('refused', 'read-back', { code: 'ORDER_UNKNOWN' });
  if (count < settings.maxSendings)
    return isFresh(payload, nowMs, settings.readFreshMs)
      ? { kind: 'send', step: 'register' }
      : { kind: 'read-payload', purpose: 'lost-answer' };
  if (progress.sendings.every(({ answer }) => answer.kind === 'unknown' && answer.cause === 'server-error'))
    return conclude('refused', 'read-back', { code: 'PLATFORM_REFUSED' });
  return untilShown(situation, last, settings);
}
