import type { Commands } from '@gondola/messaging/commands/commands';
import type { LaneResults, StepSaver } from '@gondola/messaging/commands/step-saver';
import type { ClaimedLane, Lanes } from '@gondola/messaging/lanes/lanes';
import type { Database } from '@gondola/service-kit/database/database';
import { invalid } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import { readFileWork } from '../commands/file-command.ts';
import { aboutFileCommand, FILE_COMMANDS, FILE_RESULTS } from '../commands/read-file-command.ts';
import type { CheckInvoicePdf } from '../invoices/check-invoice-pdf.service.ts';
import { type CommandTurn, concludedUnsent, type LaneWork } from './command-turn.service.ts';
import type { PublishSkuImages } from '../images/publish-images.service.ts';
import type { ReadInvoice } from '../invoices/read-invoice.service.ts';
import { saveKnowledge, type SaveKnowledgeParts } from './save-knowledge.service.ts';
import type { UploadInvoicePdf } from '../invoices/upload-invoice-pdf.service.ts';

export interface RunFileLanesParts extends SaveKnowledgeParts {
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly language: Language;
  readonly publishImages: PublishSkuImages;
  readonly checkPdf: CheckInvoicePdf;
  readonly uploadPdf: UploadInvoicePdf;
  readonly readInvoice: ReadInvoice;
  readonly save: StepSaver;
  readonly randomBytes: (size: number) => Uint8Array;
}

const FILE_LANE_RESULTS: LaneResults = {
  topics: { commands: FILE_COMMANDS, results: FILE_RESULTS },
  aboutOf: (_lane, command) => aboutFileCommand(command?.value ?? null),
};

/**
 * Mechanism 2 for files of one tenant: one step of one lane, with its oldest command. Calls take as long as their files
 * are large, so lanes do not share a step.
 *
 *   load ──▶ the command's use case decides ─┬─▶ an outcome, a wait ────────────────┬─▶ saved ──▶ due again, or asleep
 *                                            └─▶ one call (written down before) ────┘   what the call gave: due at once
 *
 * A step saves or calls, never both: what a call gave is stored, and the next step decides by it. A command that only
 * reads ends with what it read.
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
    const { outcome, dueInMs, knowledge } = await this.#turn({ lane, command }, signal);
    const step = { lane, commands: [{ command, outcome }], dueInMs, knowledge };
    await save.save(FILE_LANE_RESULTS, [step], (tx, saved) => saveKnowledge(tx, saved, this.#parts));
  }

  async #turn(work: LaneWork, signal: AbortSignal): Promise<CommandTurn> {
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
