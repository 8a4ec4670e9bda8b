import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  InternalServerErrorException,
  NotFoundException,
  Param,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { AcceptOperation } from '../../application/accept-operation.ts';
import { readModel } from '../../domain/catalog/read-model.ts';
import type { Json, JsonObject } from '../../domain/exact-json.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import { ProductsRepository } from '../../outbound/products.repository.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { JsonOrNothing } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { batchPayloads } from './batch-payloads.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';

/** docs/platform.md, "Catalog". */
@Controller('v1/batch/Products')
@UseGuards(IntegrationGuard)
@UseInterceptors(FaultInterceptor)
export class ProductsController {
  constructor(
    private readonly acceptOperation: AcceptOperation,
    private readonly products: ProductsRepository,
  ) {}

  /** 200 with a bare JSON text whatever the items hold; what is no JSON is a 500, because 400 never occurs here. */
  @Post()
  @HttpCode(200)
  @Header('content-type', 'application/json; charset=utf-8')
  @Asynchronous()
  async load(
    @JsonOrNothing() body: Json | undefined,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<string> {
    if (body === undefined) {
      throw new InternalServerErrorException({ code: 'NOT_JSON', message: 'The body is not JSON' });
    }
    const payloads = batchPayloads(body);
    const operationId = await this.acceptOperation.accept({ contractAccountId, kind: 'product', payloads, directive });
    return JSON.stringify(operationId);
  }

  /** Deprecated, and kept: always fails, deletes nothing (docs/platform.md, "Versioning" 4). */
  @Delete()
  remove(): never {
    const message = 'Product deletion is now handled through ProductWithSKUs flow. This method is obsolete.';
    throw new InternalServerErrorException({ code: 'OBSOLETE', message });
  }

  @Get(':externalReference')
  async read(
    @Param('externalReference') externalReference: string,
    @CurrentTenant() { contractAccountId }: Tenant,
  ): Promise<JsonObject> {
    const [product] = await this.products.find({ contractAccountId, externalReference });
    if (product === undefined) {
      throw new NotFoundException({
        code: 'PRODUCT_UNKNOWN',
        message: 'There is no product with this externalReference',
      });
    }
    return readModel(product, await this.products.surroundings(product));
  }
}
