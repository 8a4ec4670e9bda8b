import { Delete, Get, Header, InternalServerErrorException, NotFoundException, Param, Post } from '@nestjs/common';
import { AcceptOperation } from '../core/accept-operation.service.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentCaller, type Caller } from '../http/caller.decorator.ts';
import { IntegrationRoutes, Queues } from '../http/integration-routes.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID } from '../openapi/schemas.ts';
import { isJsonArray, type Json, type JsonObject } from '../values/exact-json.ts';
import { ProductsRepository } from './products.repository.ts';
import { readModel } from './read-model.ts';

/** docs/platform.md, "Catalog". Any JSON is accepted. */
@IntegrationRoutes('v1/batch/Products')
export class ProductsController {
  constructor(
    private readonly core: AcceptOperation,
    private readonly products: ProductsRepository,
  ) {}

  /**
   * Answers 200 with a bare JSON text, whatever the items hold; invalid JSON is a 500, because 400 never occurs
   * here.
   */
  @Post()
  @Header('content-type', 'application/json; charset=utf-8')
  @Queues('answer shown', {
    summary: 'Products with their SKUs; only keys that are present change',
    body: [{ externalReference: '4711', active: false }],
    answer: A_GUID,
    errors: { 500: 'The body is not JSON; 400 never occurs' },
  })
  async load(@JsonBody('of any kind') body: Json | undefined, @CurrentCaller() caller: Caller): Promise<string> {
    if (body === undefined) {
      throw new InternalServerErrorException({ code: 'NOT_JSON', message: 'The body is not JSON' });
    }
    const { operationId } = await this.core.accept(caller, 'product', isJsonArray(body) ? body : []);
    return JSON.stringify(operationId);
  }

  /** Deprecated: always fails, deletes nothing (docs/platform.md, "Versioning" 4). */
  @Delete()
  @Describe({
    summary: 'Obsolete: always fails',
    status: 500,
    answer: { error: { code: 'OBSOLETE', message: 'This method is obsolete.' } },
  })
  removeProducts(): never {
    const message = 'Product deletion is now handled through ProductWithSKUs flow. This method is obsolete.';
    throw new InternalServerErrorException({ code: 'OBSOLETE', message });
  }

  @Get(':externalReference')
  @Describe({
    summary: 'The read model of a product',
    parameters: { externalReference: 'Reference of the product' },
    answer: { externalReference: '4711', commercialPoliticId: A_GUID, skus: [] },
    errors: { 404: 'There is no such product' },
  })
  async read(
    @Param('externalReference') externalReference: string,
    @CurrentCaller() { contractAccountId }: Caller,
  ): Promise<JsonObject> {
    const [product] = await this.products.find({ contractAccountId, externalReference });
    if (product === undefined) {
      const message = 'There is no product with this externalReference';
      throw new NotFoundException({ code: 'PRODUCT_UNKNOWN', message });
    }
    return readModel(product, await this.products.surroundings(product));
  }
}
