import type { OrderAddressDto, OrderCustomerDto, OrderPaymentDto } from '@gondola/shared/orders/order-view.dto';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { isPureDate } from '@gondola/shared/time';
import { codeAndName, isDateSet, recordOf, textOf } from './platform-fields.ts';

/**
 * Parts of an order with personal data. They go to the ERP only: not to logs, and masked to the operations API.
 */

export function customerOf(user: JsonRecord): OrderCustomerDto {
  return {
    id: textOf(user['id']),
    firstName: textOf(user['firstName']),
    lastName: textOf(user['lastName']),
    email: textOf(user['email']),
    document: textOf(user['document']),
    phone: phoneOf(textOf(user['phoneDDI']), textOf(user['phoneNumber'])),
    birthDate: pureDateOf(user['birthDate']),
    gender: textOf(user['gender']),
  };
}

export function addressOf(address: JsonRecord): OrderAddressDto {
  return {
    street: textOf(address['street']),
    number: textOf(address['number']),
    additionalInfo: textOf(address['additionalInfo']),
    neighborhood: textOf(address['neighborhood']),
    city: textOf(address['city']),
    state: textOf(address['state']),
    country: textOf(address['country']),
    zipCode: textOf(address['zipCode']),
    reference: textOf(address['reference']),
  };
}

/** One payment attempt; method and provider are the names inside `serviceProviderPaymentMethod`. */
export function paymentOf(attempt: JsonRecord): OrderPaymentDto {
  const way = recordOf(attempt['serviceProviderPaymentMethod']);
  return {
    method: textOf(recordOf(way['paymentMethod'])['name']),
    provider: textOf(recordOf(way['contractServiceProvider'])['name']),
    brand: textOf(attempt['brand']),
    status: codeAndName(attempt['status']),
    value: moneyText(attempt['value']),
    transactionId: textOf(attempt['transactionId']),
    authCode: textOf(attempt['authCode']),
  };
}

function phoneOf(ddi: string | null, number: string | null): string | null {
  return number === null ? null : `${ddi ?? ''}${number}`;
}

/** A birthday is a calendar date; the platform's time of day behind it is dropped (rule 13). */
function pureDateOf(value: JsonValue | undefined): string | null {
  const date = isDateSet(value) ? value.slice(0, 'YYYY-MM-DD'.length) : null;
  return isPureDate(date) ? date : null;
}
