import { Module } from '@nestjs/common';
import { Storefronts } from './storefronts.service.ts';

/** The payload of an order in notifications and `webhook-payload`, and the shop in it. */
@Module({
  providers: [Storefronts],
  exports: [Storefronts],
})
export class OrderPayloadModule {}
