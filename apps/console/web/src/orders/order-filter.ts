/** Filters of the list of orders, as they stand in the address. */
export interface OrderFilter {
  /** Beginning of the number. */
  readonly number?: string;
  readonly status?: string;
  readonly attention?: boolean;
  /** No longer read, since nothing was heard of them for 30 days. */
  readonly givenUp?: boolean;
  /** Days, as `2026-11-26`: the order is in its status since then. */
  readonly from?: string;
  readonly to?: string;
  /** All shops instead of the one of the page. */
  readonly everyShop?: boolean;
}

type Query = Readonly<Record<string, string>>;

/** Query of the operations API. A day begins and ends with that of the browser's zone; `to` is its last one. */
export function queryOf(
  { number, status, attention, givenUp, from, to, everyShop }: OrderFilter,
  tenant: string,
): Query {
  return {
    ...(everyShop !== true && { tenant }),
    ...(number !== undefined && { number }),
    ...(status !== undefined && { status }),
    ...(attention === true && { attention: 'true' }),
    ...(givenUp === true && { givenUp: 'true' }),
    ...timeOf('from', from, 0),
    ...timeOf('to', to, 1),
  };
}

function timeOf(name: string, day: string | undefined, daysLater: number): Query {
  const [year, month, date] = day?.split('-').map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return {};
  const time = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(time.getTime()) ? {} : { [name]: time.toISOString() };
}
