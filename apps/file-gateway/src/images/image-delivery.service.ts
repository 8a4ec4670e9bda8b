import type { CallAnswer } from '@gondola/lanes/commands/attempts';
import { Injectable } from '@nestjs/common';
import { type CallOptions, PlatformAdapter } from '../platform/platform.adapter.ts';
import { type Placing, SftpDrop } from '../sftp/sftp-drop.service.ts';
import type { HeldImage } from '../uploads/held-content.ts';

/** Delivery of the images of one request, for one SKU. */
export interface ImageDelivery {
  /**
   * Places files where the next call finds them. Placed files are not shown yet, and placing may be repeated.
   * `placed`: orders placed before. Null: the call itself carries the files.
   */
  readonly place: ((images: readonly HeldImage[], placed: readonly number[]) => Promise<Placing>) | null;
  /** Sends the one call that shows the images, in their order. */
  readonly send: (images: readonly HeldImage[]) => Promise<CallAnswer>;
}

/**
 * Delivery of each tenant: one form with the files, or files by SFTP and then a form that links them (rules 32,
 * 34).
 */
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
