import type { CommandSource } from '@gondola/messaging/commands/command-intake';
import { Injectable } from '@nestjs/common';
import { LoadsRepository } from '../loads/loads.repository.ts';
import { CATALOG_RESULTS, type CatalogKind } from './catalog-kinds.ts';

/** Intake of records of one kind, from Kafka or from an operator's load. */
@Injectable()
export class RecordSource {
  constructor(private readonly loads: LoadsRepository) {}

  of(kind: CatalogKind): Omit<CommandSource, 'read'> {
    return {
      results: CATALOG_RESULTS,
      conflict: kind === 'product' ? { skus: [] } : {},
      beside: async (tx, taken) => void (await this.loads.note(tx, taken)),
    };
  }
}
