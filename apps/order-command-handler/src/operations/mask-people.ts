import type { OrderValues } from '../values/order-values.ts';

/** The parts of an order that hold personal data. */
export type OrderPeople = Pick<OrderValues, 'customer' | 'address' | 'payments'>;

/** Of a payment, what names no person and opens no account. */
const OPEN_PAYMENT_FIELDS = new Set(['method', 'provider', 'brand', 'status', 'value']);

/** Shows that a value is there and how it begins, and no more; what is absent stays null. */
export function maskPeople({ customer, address, payments }: OrderPeople): OrderPeople {
  return {
    customer: masked(customer, new Set()),
    address: masked(address, new Set()),
    payments: payments.map((payment) => masked(payment, OPEN_PAYMENT_FIELDS)),
  };
}

function masked<T extends object>(fields: T, open: ReadonlySet<string>): T {
  const entries = Object.entries(fields).map(([name, value]: [string, unknown]) => [
    name,
    open.has(name) ? value : maskedValue(value),
  ]);
  return Object.fromEntries(entries) as T;
}

/** Of a text the first character, and three asterisks whatever its length; of anything else only that it is there. */
function maskedValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return '***';
  const [first = ''] = value;
  return `${first}***`;
}
