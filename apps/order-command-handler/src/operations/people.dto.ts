import { Open, openFieldsOf, Personal } from '@gondola/service-kit/http/answer-fields';
import { OrderStatus } from './commands.dto.ts';
import type { OpenFields, OrderPeople } from './mask-people.ts';

const TEXT = { type: String, nullable: true } as const;

class ShownCustomer {
  @Personal(TEXT) readonly id!: string | null;
  @Personal(TEXT) readonly firstName!: string | null;
  @Personal(TEXT) readonly lastName!: string | null;
  @Personal(TEXT) readonly email!: string | null;
  @Personal(TEXT) readonly document!: string | null;
  @Personal(TEXT) readonly phone!: string | null;
  @Personal(TEXT) readonly birthDate!: string | null;
  @Personal(TEXT) readonly gender!: string | null;
}

class ShownAddress {
  @Personal(TEXT) readonly street!: string | null;
  @Personal(TEXT) readonly number!: string | null;
  @Personal(TEXT) readonly additionalInfo!: string | null;
  @Personal(TEXT) readonly neighborhood!: string | null;
  @Personal(TEXT) readonly city!: string | null;
  @Personal(TEXT) readonly state!: string | null;
  @Personal(TEXT) readonly country!: string | null;
  @Personal(TEXT) readonly zipCode!: string | null;
  @Personal(TEXT) readonly reference!: string | null;
}

/** Fields that identify neither a person nor an account are open. */
class ShownPayment {
  @Open(TEXT) readonly method!: string | null;
  @Open(TEXT) readonly provider!: string | null;
  @Open(TEXT) readonly brand!: string | null;
  @Open({ type: OrderStatus, nullable: true }) readonly status!: OrderStatus | null;
  @Open(TEXT) readonly value!: string | null;
  @Personal(TEXT) readonly transactionId!: string | null;
  @Personal(TEXT) readonly authCode!: string | null;
}

/** Customer, address and payments of an order. */
export class ShownPeople implements OrderPeople {
  @Open({ type: ShownCustomer }) readonly customer!: OrderPeople['customer'];
  @Open({ type: ShownAddress }) readonly address!: OrderPeople['address'];
  @Open({ type: [ShownPayment] }) readonly payments!: OrderPeople['payments'];
}

/** The app masks all other fields, and the console does, too. */
export const OPEN_FIELDS: OpenFields = {
  customer: openFieldsOf(ShownCustomer),
  address: openFieldsOf(ShownAddress),
  payments: openFieldsOf(ShownPayment),
};
