import { Database } from '@gondola/service-kit/database/database';
import { BadRequestException, Controller, Get, Param, Query } from '@nestjs/common';
import { AdminTenants } from '../../application/admin-tenants.ts';
import { LOOSE_ENTITIES, isLooseEntity } from '../../domain/catalog/loose-record.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { LooseRecordsRepository } from '../../outbound/loose-records.repository.ts';
import { chosen } from './admin-errors.ts';
import { MAX_ENTRIES } from './after.ts';

/** Prices, warehouses and stock as they were sent last; the platform has no route that reads them. */
@Controller('admin/records')
export class AdminRecordsController {
  constructor(
    private readonly database: Database,
    private readonly tenants: AdminTenants,
    private readonly records: LooseRecordsRepository,
  ) {}

  @Get(':entity')
  async read(
    @Param('entity') entity: string,
    @Query('contractAccountId') account: string | undefined,
  ): Promise<JsonObject[]> {
    if (!isLooseEntity(entity)) {
      throw new BadRequestException({
        code: 'ENTITY',
        message: `The entity must be one of ${LOOSE_ENTITIES.join(', ')}`,
      });
    }
    const { contractAccountId } = chosen(await this.tenants.choose(account));
    return this.records.all(this.database, contractAccountId, entity, MAX_ENTRIES);
  }
}
