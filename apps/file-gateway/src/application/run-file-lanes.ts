import type { Commands } from '@gondola/messaging/commands/commands';
import type { ClaimedLane, Lanes } from '@gondola/messaging/lanes/lanes';
import type { Database } from '@gondola/service-kit/database/database';
import type { Language } from '@gondola/shared/results/reason-codes';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import { invalid } from '../domain/conclusion.ts';
import { readFileWork } from '../domain/file-command.ts';
import { concludedUnsent, type LaneWork, type StepEnd } from './file-lane.ts';
import type { CheckInvoicePdf } from './check-invoice-pdf.ts';
import type { PublishSkuImages } from './publish-images.ts';
import type { ReadInvoice } from './read-invoice.ts';
import type { SaveStepEnd } from './save-step-end.ts';
import type { UploadInvoicePdf } from './upload-invoice-pdf.ts';

export interface RunFileLanesParts {
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly language: Language;
  readonly publishImages: PublishSkuImages;
  readonly checkPdf: CheckInvoicePdf;
  readonly uploadPdf: UploadInvoicePdf;
  readonly readInvoice: ReadInvoice;
  readonly save: SaveStepEnd;
  readonly randomBytes: (size: number) => Uint8Array;
}

/**
 * Mechanism 2 for files of one tenant: one step of one lane, with its oldest command. Calls take as long as their files
 * are large, so lanes do not share a step.
 *
 *   load ──▶ the command's use case: decide, call, write down ──▶ save in one transaction ──▶ due again, or asleep
 */
export class RunFileLanes {
  readonly #parts: RunFileLanesParts;

  constructor(parts: RunFileLanesParts) {
    this.#parts = parts;
  }

  async step(lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    for (const lane of lanes) await this.#stepOf(lane, signal);
  }

  async #stepOf(lane: ClaimedLane, signal: AbortSignal): Promise<void> {
    const { database, lanes, commands, save } = this.#parts;
    const [command] = await commands.heads(database, [lane.id]);
    if (command === undefined) return lanes.finish([lane], async () => new Map([[lane.id, null]]));
    const work = { lane, command };
    await save.save(work, await this.#end(work, signal));
  }

  async #end(work: LaneWork, signal: AbortSignal): Promise<StepEnd> {
    const { language, publishImages, checkPdf, uploadPdf, readInvoice, randomBytes } = this.#parts;
    const { value, traceparent } = work.command;
    const asked = readFileWork(value, language);
    const options = { signal, traceparent: childTraceparent(traceparent, randomBytes(TRACE_RANDOM_BYTES)) };
    if (asked.kind === 'publish-images') return publishImages.step(work, asked, options);
    if (asked.kind === 'check-pdf') return checkPdf.step(work, asked);
    if (asked.kind === 'upload-pdf') return uploadPdf.step(work, asked, options);
    if (asked.kind === 'read-invoice') return readInvoice.step(work, asked, options);
    return concludedUnsent(invalid(asked.errors));
  }
}
