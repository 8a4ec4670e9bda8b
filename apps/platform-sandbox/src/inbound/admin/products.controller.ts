import { BadRequestException, Controller, Get, Param, Query } from '@nestjs/common';
import { hiddenBecause, readModel } from '../../domain/catalog/read-model.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { filePath } from '../../domain/files/stored-file.ts';
import { ProductsRepository } from '../../outbound/products.repository.ts';
import { PublicUrl } from '../../outbound/public-url.ts';
import { unknown } from './admin-errors.ts';

/** A product as the storefront has it. */
@Controller('admin/products')
export class AdminProductsController {
  constructor(
    private readonly products: ProductsRepository,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** `contractAccountId` is needed where several merchants have a product by this reference. */
  @Get(':reference')
  async read(
    @Param('reference') externalReference: string,
    @Query('contractAccountId') account: string | undefined,
  ): Promise<JsonObject> {
    const everywhere = await this.products.find({ externalReference });
    const candidates = everywhere.filter(
      ({ contractAccountId }) => account === undefined || contractAccountId.toLowerCase() === account.toLowerCase(),
    );
    const [product] = candidates;
    if (product === undefined) throw unknown('product');
    if (candidates.length > 1) {
      throw new BadRequestException({
        code: 'TENANT',
        message: 'Several tenants have it: contractAccountId must name one',
      });
    }
    const model = readModel(product, await this.products.surroundings(product));
    const images = await this.products.images(product);
    const hidden = hiddenBecause(product);
    return {
      externalReference: product.externalReference,
      active: model.active ?? null,
      visible: hidden === null,
      hiddenBecause: hidden,
      readModel: model,
      images: images.map((image) => ({
        sku: image.externalReference,
        order: image.displayOrder,
        url: `${this.publicUrl.base()}${filePath(image)}`,
      })),
    };
  }
}
