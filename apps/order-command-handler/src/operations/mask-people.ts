import type { OrderValues } from '../facts/order-values.ts';

/** The parts of an order that hold personal data. */
export type OrderPeople = Pick<OrderValues, 'customer' | 'address' | 'payments'>;

/** Names of the fields of each part that are open (`people.dto.ts`). */
export type OpenFields = Readonly<Record<keyof OrderPeople, ReadonlySet<string>>>;

/** Masks personal data: shows only that a value exists and its first character; an absent one stays null. */
export function maskPeople({ customer, address, payments }: OrderPeople, open: OpenFields): OrderPeople {
  return {
    customer: masked(customer, open.customer),
    address: masked(address, open.address),
    payments: payments.map((payment) => masked(payment, open.payments)),
  };
}

function masked<T extends object>(fields: T, open: ReadonlySet<string>): T {
  const entries = Object.entries(fields).map(([name, value]: [string, unknown]) => [
    name,
    open.has(name) ? value : maskedValue(value),
  ]);
  return Object.fromEntries(entries) as T;
}

/** First character of a text and three asterisks, for any length; three asterisks for any other value. */
function maskedValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return '***';
  const [first = ''] = value;
  return `${first}***`;
}
