import { type LaneResults, StepSaver } from '@gondola/lanes/commands/step-saver';
import type { OpenCommand } from '@gondola/lanes/commands/commands';
import type { LaneStep } from '@gondola/lanes/commands/step-outcome';
import type { Tx } from '@gondola/service-kit/database/database';
import { blanksWarning } from '@gondola/shared/fields/blanks-warning';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { aboutFileCommand, FILE_COMMANDS, FILE_RESULTS } from '../commands/file-command-identity.ts';
import { CommandResultsRepository } from '../commands/command-results.repository.ts';
import { AppliedImagesRepository } from '../images/applied-images.repository.ts';
import { ImageUploadsRepository } from '../images/image-uploads.repository.ts';
import { InvoiceFilesRepository } from '../invoices/invoice-files.repository.ts';
import { FailuresRepository } from '../notifications/failures.repository.ts';
import { UploadsRepository } from '../uploads/uploads.repository.ts';
import type { FileStep, LaneWork } from '../commands/file-step.ts';

const RESULTS: LaneResults = {
  topics: { commands: FILE_COMMANDS, results: FILE_RESULTS },
  aboutOf: (_lane, command) => aboutFileCommand(command?.value ?? null),
};

/** Saves a step: its command's outcome and, in the same transaction, the step's findings. */
@Injectable()
export class SaveFileStep {
  constructor(
    private readonly saver: StepSaver,
    private readonly results: CommandResultsRepository,
    private readonly uploads: UploadsRepository,
    private readonly failures: FailuresRepository,
    private readonly applied: AppliedImagesRepository,
    private readonly imageUploads: ImageUploadsRepository,
    private readonly invoiceFiles: InvoiceFilesRepository,
  ) {}

  async save(work: LaneWork, { outcome, dueInMs, knowledge }: FileStep): Promise<void> {
    const { lane, command } = work;
    const step: LaneStep = { lane, commands: [{ command, outcome }], dueInMs };
    const { language } = work.tenant;
    const results = { ...RESULTS, warningsOf: ({ value }: OpenCommand) => blanksWarning(parseRecord(value), language) };
    await this.saver.save(results, [step], async (tx, saved) => {
      for (const { concluded } of saved) {
        const result = concluded.get(command.id);
        if (result !== undefined) await this.results.save(tx, command, result);
        // An earlier outcome stays, with the findings stored beside it (guarantee 3).
        if (outcome.kind !== 'concluded' || result !== undefined) await this.#saveKnowledge(tx, work, knowledge);
      }
      return [];
    });
  }

  async #saveKnowledge(tx: Tx, { lane, command }: LaneWork, knowledge: FileStep['knowledge']): Promise<void> {
    const { tenant, id: laneId } = lane;
    const { operationIds, images, upload, invoice, release = [] } = knowledge;
    await this.failures.rememberOperations(tx, { tenant, laneId, commandRowId: command.id }, operationIds);
    if (images !== undefined) await this.applied.save(tx, tenant, images.skuExternalReference, images.applied);
    const { commandId } = command;
    if (upload !== undefined) await this.imageUploads.save(tx, { tenant, commandId, ...upload });
    if (invoice !== undefined) await this.invoiceFiles.save(tx, tenant, invoice.orderId, invoice.sha256);
    if (release.length > 0) await this.uploads.release(tx, release);
  }
}
