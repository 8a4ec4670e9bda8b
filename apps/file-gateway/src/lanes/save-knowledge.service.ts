import type { SavedStep } from '@gondola/messaging/commands/step-saver';
import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { Tx } from '@gondola/service-kit/database/database';
import type { FileStep } from './command-turn.service.ts';
import type { AppliedImagesRepository } from '../images/applied-images.repository.ts';
import type { FailuresRepository } from '../notifications/failures.repository.ts';
import type { InvoiceFilesRepository } from '../invoices/invoice-files.repository.ts';
import type { UploadsRepository } from '../uploads/uploads.repository.ts';

export interface SaveKnowledgeParts {
  readonly uploads: UploadsRepository;
  readonly failures: FailuresRepository;
  readonly applied: AppliedImagesRepository;
  readonly invoiceFiles: InvoiceFilesRepository;
}

/** What a step made known, beside its command's outcome and in the same transaction. Publishes nothing of its own. */
export async function saveKnowledge(
  tx: Tx,
  saved: readonly SavedStep<FileStep>[],
  { uploads, failures, applied, invoiceFiles }: SaveKnowledgeParts,
): Promise<readonly OutRecord[]> {
  for (const { step, concluded } of saved) {
    const { lane, commands, knowledge } = step;
    const [{ command, outcome }] = commands as [FileStep['commands'][number]];
    // An outcome that was given before stays, and with it what was known then (guarantee 3).
    if (outcome.kind === 'concluded' && !concluded.has(command.id)) continue;
    const { tenant } = lane;
    const { operationIds, images, invoice, release = [] } = knowledge;
    await failures.rememberOperations(tx, { tenant, laneId: lane.id, commandRowId: command.id }, operationIds);
    if (images !== undefined) await applied.save(tx, tenant, images.skuExternalReference, images.applied);
    if (invoice !== undefined) await invoiceFiles.save(tx, tenant, invoice.orderId, invoice.sha256);
    if (release.length > 0) await uploads.release(tx, release);
  }
  return [];
}
