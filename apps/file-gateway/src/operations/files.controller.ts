import { TENANTS } from '@gondola/service-kit/run/injected';
import { isIdentityText, orderNumberText } from '@gondola/shared/topics/identities';
import { BadRequestException, Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import { type FileCounts, ShowFiles, type ShownLane } from './show-files.service.ts';
import type { LaneKind } from '../commands/file-command-identity.ts';

/** Uploads, images and invoice files, for operators (contract, "HTTP"): no content, no personal data. */
@Controller('api')
export class FilesController {
  readonly #tenants: readonly string[];

  constructor(
    private readonly show: ShowFiles,
    @Inject(TENANTS) tenants: ReadonlyArray<{ readonly id: string }>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @Get('counts')
  async counts(): Promise<FileCounts> {
    return this.show.counts();
  }

  /** With several tenants, `?tenant=` says whose SKU it is. */
  @Get('skus/:externalReference/images')
  async images(
    @Param('externalReference') externalReference: string,
    @Query('tenant') tenant?: string,
  ): Promise<ShownLane> {
    return this.#lane(tenant, 'sku-images', isIdentityText(externalReference) ? externalReference : null);
  }

  /** With several tenants, `?tenant=` says whose order it is. */
  @Get('orders/:number/invoice')
  async invoice(@Param('number') number: string, @Query('tenant') tenant?: string): Promise<ShownLane> {
    return this.#lane(tenant, 'order-invoice', orderNumberText(number));
  }

  async #lane(tenant: string | undefined, kind: LaneKind, identity: string | null): Promise<ShownLane> {
    const [only, ...others] = this.#tenants;
    const owner = tenant ?? (others.length === 0 ? only : undefined);
    if (owner === undefined) throw new BadRequestException('There are several tenants: add ?tenant=');
    const shown = identity === null ? null : await this.show.lane(owner, kind, identity);
    if (shown === null) throw new NotFoundException();
    return shown;
  }
}
