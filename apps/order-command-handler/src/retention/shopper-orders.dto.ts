import { Must } from '@gondola/service-kit/http/request-fields';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';

/** The shopper whose orders are requested. */
export class ShopperRequest {
  @ApiProperty()
  @Must((value) => typeof value === 'string', 'tenant is needed')
  readonly tenant!: string;

  @ApiProperty({ format: 'email' })
  @Must((value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value), 'email is an e-mail address')
  readonly email!: string;
}

export class ShopperOrders {
  @ApiProperty({ type: [String], description: 'The lowest first' })
  readonly orderNumbers!: readonly string[];
}
