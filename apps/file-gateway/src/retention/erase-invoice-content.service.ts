import { Commands } from '@gondola/lanes/commands/commands';
import { type ErasedContent, type ErasedOrder, OrderContent } from '@gondola/lanes/erased-orders/order-content';
import { Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import { parseRecord, recordOrNull } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { CommandResultsRepository } from '../commands/command-results.repository.ts';
import { FILE_COMMANDS, FILE_RESULTS } from '../commands/file-command-identity.ts';
import type { LaneKind } from '../lane-kinds.ts';
import { FailuresRepository } from '../notifications/failures.repository.ts';
import { UploadsRepository } from '../uploads/uploads.repository.ts';

const KIND: LaneKind = 'order-invoice';

/**
 * Erases this app's content about an order: the commands about its invoice file, their results, the uploads that
 * they name, and the platform's refusals. The order's number and GUID stay, because they identify no person.
 */
@Injectable()
export class EraseInvoiceContent extends OrderContent {
  readonly topics = [FILE_COMMANDS, FILE_RESULTS];

  constructor(
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly uploads: UploadsRepository,
    private readonly failures: FailuresRepository,
    private readonly results: CommandResultsRepository,
  ) {
    super();
  }

  /** An upload that an open command holds stays until the command is concluded and the order is erased again. */
  async erase(tx: Tx, { tenant, orderNumber }: ErasedOrder): Promise<ErasedContent> {
    const lane = { tenant, kind: KIND, identity: orderNumber };
    const refusals = await this.failures.eraseErrors(tx, tenant, lane);
    const [known] = await this.lanes.existing(tx, [lane]);
    if (known === undefined) return { erased: { commands: 0, uploads: 0, refusals }, stays: [] };
    const laneId = (await this.lanes.wake(tx, [lane])).get(laneText(lane))!;
    const ids = (await this.commands.contents(tx, laneId)).flatMap(uploadIdsIn);
    const uploads = await this.uploads.end(tx, tenant, ids);
    await this.results.erase(tx, laneId);
    const { erased: commands, open } = await this.commands.eraseContent(tx, laneId, []);
    const stays = open === 0 ? [] : [{ what: 'open commands', count: open, why: 'open' } as const];
    return { erased: { commands, uploads, refusals }, stays };
  }
}

function uploadIdsIn(value: Buffer): string[] {
  const { uploadId } = recordOrNull(parseRecord(value)?.['content']) ?? {};
  return typeof uploadId === 'string' ? [uploadId] : [];
}
