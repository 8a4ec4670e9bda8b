import type { OrderSellerDto } from '@gondola/shared/dto/order-view.dto';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { addressOf } from './order-people.ts';
import { textOf } from './platform-fields.ts';

/** The shop that sells. Its address stands flat in it, and `complement` is what a shopper has as `additionalInfo`. */
export function sellerOf(seller: JsonRecord): OrderSellerDto {
  return {
    id: textOf(seller['id']),
    sellerCode: textOf(seller['sellerCode']),
    name: textOf(seller['name']),
    phone: textOf(seller['phoneNumber']),
    address: addressOf({ ...seller, additionalInfo: seller['complement'] ?? null }),
  };
}
