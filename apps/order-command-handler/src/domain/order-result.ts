import { type Language, reasonOf } from '@gondola/shared/results/reason-codes';
import { type Result, type ResultEntity, buildResult } from '@gondola/shared/results/result';
import type { TopicName } from '@gondola/shared/topics/topics';
import { type CommandProgress, operationIdsOf } from './command-progress.ts';
import type { Correction } from './corrections.ts';
import type { CommandEnd } from './lane-plan.ts';
import type { HeadCommand } from './lane-situation.ts';

export const ORDER_COMMANDS = 'erp.orders.commands.v1' as const satisfies TopicName;
export const ORDER_RESULTS = 'erp.orders.results.v1';

/** What a result repeats of its command. */
export interface AboutCommand {
  readonly tenant: string;
  readonly commandId: string;
  readonly command: string;
  readonly orderNumber: string | null;
  /** RFC 3339. */
  readonly time: string;
}

/** Attempts at what changes something: this app's, and those that the file gateway made for it. */
export function attemptsOf({ progress, pdfOutcome }: Pick<HeadCommand, 'progress' | 'pdfOutcome'>): number {
  return progress.sendings.length + (pdfOutcome?.attempts ?? 0);
}

/** The one final result of a command. */
export function endResult(
  about: AboutCommand & { readonly receivedAt: string; readonly attempts: number; readonly progress: CommandProgress },
  { conclusion, reason, errors, warnings, revision }: CommandEnd,
): Result {
  const { tenant, commandId, command, orderNumber, time, receivedAt, attempts, progress } = about;
  const { outcome, evidence, platform } = conclusion;
  return buildResult({
    tenant,
    inputTopic: ORDER_COMMANDS,
    commandId,
    command,
    entity: entityOf(orderNumber),
    outcome,
    time,
    receivedAt,
    revision,
    reason,
    errors,
    warnings,
    evidence,
    operationIds: operationIdsOf(progress),
    attempts,
    platform,
  });
}

/** The one correction of a result that said `unconfirmed`. */
export function correctionResult(
  about: Pick<AboutCommand, 'tenant' | 'orderNumber' | 'time'> & {
    readonly language: Language;
    readonly revision: number | null;
  },
  { unconfirmed, correctedOutcome, platform }: Correction,
): Result {
  const { tenant, orderNumber, time, language, revision } = about;
  const { commandId, command, resultId, operationIds, receivedAt, attempts } = unconfirmed;
  return buildResult({
    tenant,
    inputTopic: ORDER_COMMANDS,
    commandId,
    command,
    entity: entityOf(orderNumber),
    outcome: 'corrected',
    correctedOutcome,
    corrects: resultId,
    time,
    receivedAt,
    revision,
    reason: correctedOutcome === 'refused' ? reasonOf('PLATFORM_REFUSED', language) : null,
    evidence: 'event',
    operationIds,
    attempts,
    platform,
  });
}

function entityOf(orderNumber: string | null): ResultEntity | null {
  return orderNumber === null ? null : { kind: 'order', orderNumber: Number(orderNumber) };
}
