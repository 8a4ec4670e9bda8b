import type { Commands } from '@gondola/messaging/commands';
import type { Lanes } from '@gondola/messaging/lanes';
import type { MutationAnswer } from '@gondola/platform-client/answers';
import { stringifyWithDigits } from '@gondola/shared/json-digits';
import { type ProductProgress, progressToText } from '../domain/product-progress.ts';
import { withAnswer, withoutLastSending, withSending } from '../domain/sendings.ts';
import type { CatalogPlatform } from './catalog-platform.ts';
import { postBatch } from './post-batch.ts';
import { type Ended, type Outgoing, waits } from './product-work.ts';

export interface SendProductsParts {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly platform: CatalogPlatform;
  readonly deadlineMs: number;
  readonly now: () => number;
}

/** What an answer makes of a record that was posted. */
type AfterAnswer = (outgoing: Outgoing) => Ended;

/** Posts one batch: written down first, then one call (more only for a batch that is refused whole), then an end for each record. */
export class SendProducts {
  readonly #parts: SendProductsParts;

  constructor(parts: SendProductsParts) {
    this.#parts = parts;
  }

  async send(outgoing: readonly Outgoing[], signal: AbortSignal, afterAnswer: AfterAnswer): Promise<Ended[]> {
    signal.throwIfAborted();
    const held = await this.#writeDown(outgoing);
    if (held.length === 0) return [];
    const traceparent = held[0]?.work.command.traceparent ?? undefined;
    const options = { signal, ...(traceparent !== undefined && { traceparent }) };
    const answers = await postBatch(
      held.map(({ work, progress }) => ({ laneId: work.lane.id, text: stringifyWithDigits(progress.body) })),
      (body) => this.#parts.platform.postProducts(body, options),
    );
    return held.map((each) => this.#end(each, answers.get(each.work.lane.id)!, afterAnswer));
  }

  /** "Sending" is committed before the call, so that a crash behind it is found (rules 15, 16); lanes that were lost are not sent. */
  async #writeDown(outgoing: readonly Outgoing[]): Promise<Outgoing[]> {
    const { lanes, commands, deadlineMs, now } = this.#parts;
    const at = new Date(now()).toISOString();
    const sending = outgoing.map(({ work, progress }) => {
      const seenReportId = work.newestReportId ?? '0';
      return { work, progress: withSending(progress, { at, seenReportId }) };
    });
    return lanes.checkpoint(
      sending.map(({ work }) => work.lane),
      async (tx, stillHeld) => {
        const ids = new Set(stillHeld.map(({ id }) => id));
        const own = sending.filter(({ work }) => ids.has(work.lane.id));
        const commandIds = own.map(({ work }) => work.command.id);
        await commands.markSending(tx, commandIds, deadlineMs);
        for (const { work, progress } of own) {
          await commands.saveProgress(tx, work.command.id, progressToText(progress));
        }
        return own;
      },
    );
  }

  #end({ work, progress }: Outgoing, answer: MutationAnswer, afterAnswer: AfterAnswer): Ended {
    if (answer.kind === 'unavailable') {
      return waits(work, withoutLastSending(progress, answer.cause), answer.retryAfterMs, { notSent: true });
    }
    const answered: ProductProgress = withAnswer(progress, answer);
    const command = {
      ...work.command,
      progress: progressToText(answered),
      attempts: work.command.attempts + 1,
      deadlineInMs: work.command.deadlineInMs ?? this.#parts.deadlineMs,
    };
    return afterAnswer({ work: { ...work, command }, progress: answered });
  }
}
