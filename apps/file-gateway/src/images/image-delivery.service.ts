import { Injectable } from '@nestjs/common';
import { type CallOptions, type ChangeAnswer, PlatformAdapter } from '../platform/platform.adapter.ts';
import { type Placing, SftpDrop } from '../sftp/sftp-drop.service.ts';
import type { HeldImage } from '../uploads/held-content.ts';

/** How the images of one request get to the platform, for one SKU. */
export interface ImageDelivery {
  /**
   * Brings files to where the next call finds them; nothing of them is shown yet, and it may be repeated. `placed`:
   * orders that were brought before. Null: the files go in that call.
   */
  readonly place: ((images: readonly HeldImage[], placed: readonly number[]) => Promise<Placing>) | null;
  /** The one call that shows the images, in their order. */
  readonly send: (images: readonly HeldImage[]) => Promise<ChangeAnswer>;
}

/** The way of each tenant: one form with the files, or files by SFTP and then a form that links them (rules 32, 34). */
@Injectable()
export class ImageDeliveries {
  constructor(
    private readonly platform: PlatformAdapter,
    private readonly drop: SftpDrop,
  ) {}

  of(skuExternalReference: string, options: CallOptions): ImageDelivery {
    const { tenant } = options;
    if (!this.drop.has(tenant)) {
      return { place: null, send: (images) => this.platform.uploadImages(skuExternalReference, images, options) };
    }
    const linkOf = (image: HeldImage) => ({
      order: image.order,
      fileName: this.drop.nameOf(tenant, skuExternalReference, image),
    });
    return {
      place: (images, placed) => this.drop.place({ skuExternalReference, images, placed }, options),
      send: (images) => this.platform.linkImages(skuExternalReference, images.map(linkOf), options),
    };
  }
}
