import { Database } from '@gondola/service-kit/database/database';
import { BadRequestException, Controller, Get, Param, Query } from '@nestjs/common';
import { LOOSE_ENTITIES, isLooseEntity } from '../../domain/catalog/loose-record.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { LooseRecordEntity } from '../../outbound/loose-record.entity.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { MAX_ENTRIES } from './after.ts';
import { ChosenTenant } from './chosen-tenant.ts';

/** Prices, warehouses and stock as they were sent last; the platform has no route that reads them. */
@Controller('admin/records')
export class AdminRecordsController {
  constructor(private readonly database: Database) {}

  @Get(':entity')
  async read(
    @Param('entity') entity: string,
    @Query('contractAccountId', ChosenTenant) { contractAccountId }: Tenant,
  ): Promise<JsonObject[]> {
    if (!isLooseEntity(entity)) {
      throw new BadRequestException({
        code: 'ENTITY',
        message: `The entity must be one of ${LOOSE_ENTITIES.join(', ')}`,
      });
    }
    const query = { where: { contractAccountId, entity }, order: { seq: 'ASC' }, take: MAX_ENTRIES } as const;
    return (await this.database.repository(LooseRecordEntity).find(query)).map(({ data }) => data);
  }
}
