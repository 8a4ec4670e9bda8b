import { naturalRank, ORDER_STATUSES, orderStatus, type OrderStatusCode } from '@gondola/shared/orders/order-statuses';

/** An order event as recorded, with the fields by which events of other types differ. */
export interface RecordedEvent {
  readonly orderNumber: number;
  readonly order: object;
  readonly platform: object;
}

/** Status before each one that an event publishes, in the order of one life. */
const COMES_FROM: Partial<Record<OrderStatusCode, OrderStatusCode>> = {
  400: 300,
  350: 400,
  500: 350,
  600: 500,
  900: 600,
  1000: 900,
  700: 600,
  750: 700,
  800: 750,
  1100: 800,
  1200: 1100,
};
const SHIPPED = 600;
const CANCELLING = 750;

/**
 * Events of the types that have no recorded example, made from a recorded approval: the same order with other statuses.
 * By their file names.
 */
export function eventExamples(approval: RecordedEvent): ReadonlyMap<string, object> {
  const changes = Object.entries(COMES_FROM).map(([code, before]) => ({
    type: ORDER_STATUSES[Number(code) as OrderStatusCode].event,
    before,
    now: Number(code),
    changed: 'status',
  }));
  const others = [
    { type: 'OrderReopened', before: 800, now: 300, changed: 'status' },
    { type: 'OrderChanged', before: 300, now: 300, changed: 'items' },
  ];
  return new Map(
    [...changes, ...others].map(({ type, before, now, changed }, index) => {
      const revision = index + 2;
      const event = {
        ...approval,
        id: `acme:order:${approval.orderNumber}:${revision}`,
        type,
        revision,
        changes: [changed],
        hold: now === CANCELLING,
        previousStatus: orderStatus(before),
        status: orderStatus(now),
        platform: { ...approval.platform, status: now, canBeCancelled: naturalRank(now) < naturalRank(SHIPPED) },
      };
      return [`order-event.v1.${type}.json`, event];
    }),
  );
}
