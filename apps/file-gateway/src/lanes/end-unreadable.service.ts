import { applied, invalid, refused, unconfirmed } from '@gondola/shared/results/conclusion';
import type { FieldReason } from '@gondola/shared/outcomes/reason-codes';
import { Injectable } from '@nestjs/common';
import { type FileStep, concluded, type LaneWork, waits } from '../commands/file-step.ts';
import { decideUnreadable, type UnreadableProgress, unreadableProgress } from './unreadable-command.ts';
import { UploadAttempts } from '../commands/upload-attempts.service.ts';

/** One step of a command whose record is not valid, or not any more: it may have sent something while it was. */
@Injectable()
export class EndUnreadable {
  constructor(private readonly attempts: UploadAttempts) {}

  async step(work: LaneWork, errors: readonly FieldReason[]): Promise<FileStep> {
    const { language } = work.tenant;
    const progress = unreadableProgress(work.command.progress);
    const decision = decideUnreadable(progress, await this.attempts.load(work, progress));
    if (decision.kind === 'invalid') return ended(progress, invalid(errors), undefined);
    if (decision.kind === 'wait') return this.#waits(work, decision.ms);
    if (decision.kind === 'catch-up') return this.#waits(work, this.attempts.catchUpMs(decision.untilMs));
    if (decision.kind === 'applied') return ended(progress, applied('read-back'), progress.pdf?.sha256 ?? null);
    if (decision.kind === 'refused') return ended(progress, refused(language, decision.refusal), undefined);
    return ended(progress, unconfirmed(language), null);
  }

  /** Its progress stays as it was stored. */
  #waits({ command }: LaneWork, ms: number): FileStep {
    const step = waits({ attempts: [], blocked: null }, ms);
    return { ...step, outcome: { kind: 'wait', progress: command.progress }, knowledge: { operationIds: [] } };
  }
}

/** `sha256` of the order's file from now on: null if it is not known, undefined if it is as before. */
function ended(
  progress: UnreadableProgress,
  conclusion: Parameters<typeof concluded>[1],
  sha256: string | null | undefined,
): FileStep {
  const orderId = progress.pdf?.orderId ?? null;
  const knowsFile = sha256 !== undefined && orderId !== null;
  return concluded(progress, conclusion, {
    release: progress.held,
    ...(knowsFile && { invoice: { orderId, sha256 } }),
  });
}
