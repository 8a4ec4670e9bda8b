import { Injectable } from '@nestjs/common';
import type { Storefront } from '../domain/orders/order.ts';
import { PublicUrl } from '../outbound/public-url.ts';
import type { Tenant } from '../outbound/tenants.repository.ts';
import { SwitchBoard } from './switch-board.ts';

/** A merchant's shop, as the payloads of its orders tell it. */
@Injectable()
export class Storefronts {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly switches: SwitchBoard,
  ) {}

  of({ shop }: Tenant): Storefront {
    const { registrationField } = this.switches.behaviour;
    return { ...shop, baseUrl: this.publicUrl.base(), registrationField };
  }
}
