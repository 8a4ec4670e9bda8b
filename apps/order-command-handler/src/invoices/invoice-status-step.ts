import { ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import { doubledMs } from '@gondola/shared/commands/retry';
import { decideSent } from '../commands/decide-status-command.ts';
import { type CommandSettings, type Decision, conclude } from '../commands/decision.ts';
import { type InvoiceSituation } from './invoice-situation.ts';
import { READINGS, isShown, untilShown } from './invoice-registration-step.ts';

/**
 * The last step of the saga: both parts of the invoice are there, so the order becomes 350 by itself; the status is
 * read with backoff. If it does not, it is set by PATCH, but only while the registration shows: without one, the order
 * would be called invoiced and is not.
 */
export function untilInvoiced(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs, value, pdfOutcome } = situation;
  const patches = progress.sendings.filter(({ step }) => step === 'status');
  const others = progress.sendings.length - patches.length;
  const lastPatch = patches.at(-1);
  if (lastPatch !== undefined) {
    // To the PATCH, only what was read since it was sent says something.
    const { read } = progress;
    const sinceRead = read === null || read.sendings <= others ? null : { ...read, sendings: read.sendings - others };
    const own = { ...progress, sendings: patches, read: sinceRead };
    return decideSent({ ...situation, progress: own, target: ORDER_INVOICED }, lastPatch, settings);
  }
  const { read } = progress;
  const isFirst = read?.purpose !== 'invoiced' || read.sendings !== progress.sendings.length;
  if (isFirst) return { kind: 'read', purpose: 'invoiced' };
  if (read.count < READINGS) {
    const inMs = Date.parse(read.at) + doubledMs(settings.readBackMs, read.count) - nowMs;
    return inMs > 0
      ? { kind: 'wait', ms: Math.min(inMs, deadlineInMs ?? inMs) }
      : { kind: 'read', purpose: 'invoiced' };
  }
  if (pdfOutcome?.outcome === 'unconfirmed') return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
  const lastAttempt = progress.sendings.at(-1);
  if (value !== null && lastAttempt !== undefined && !isShown(situation))
    return untilShown(situation, lastAttempt, settings);
  return { kind: 'send', step: 'status' };
}
