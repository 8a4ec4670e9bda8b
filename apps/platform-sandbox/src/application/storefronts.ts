import { Injectable } from '@nestjs/common';
import type { Storefront } from '../domain/orders/order.ts';
import { PublicUrl } from '../outbound/public-url.ts';
import type { Tenant } from '../outbound/tenants.repository.ts';

/** A merchant's shop, as the payloads of its orders tell it. */
@Injectable()
export class Storefronts {
  constructor(private readonly publicUrl: PublicUrl) {}

  of({ shop }: Tenant): Storefront {
    return { ...shop, baseUrl: this.publicUrl.base() };
  }
}
