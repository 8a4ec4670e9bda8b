import { Module } from '@nestjs/common';
import { Storefronts } from './storefronts.service.ts';

/** An order as notifications and `webhook-payload` have it, and the shop that it names. */
@Module({
  providers: [Storefronts],
  exports: [Storefronts],
})
export class OrderPayloadModule {}
