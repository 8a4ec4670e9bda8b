import { randomUUID } from 'node:crypto';
import { TOPIC } from '../../erp/erp.ts';
import { endsAs, expectThat, step, type StepReport, publishedAs, until, type DemoContext } from '../step.ts';

const BASKET = [{ skuExternalReference: '1078-1', quantity: 1 }];
/** Much longer than the three calls whose notifications must be sent before. */
const LATE_MS = 3_000;

/** Plays an order that is cancelled during its preparation, and returns its number, as the other two plays do. */
export function cancelWhilePreparing(context: DemoContext): Promise<number> {
  return step(context, 'cancel-while-preparing', () => cancelled(context));
}

export function refusePayment(context: DemoContext): Promise<number> {
  return step(context, 'payment-refused', () => paymentRefused(context));
}

/** Plays an order whose 300 arrives after its 800. */
export function approveLate(context: DemoContext): Promise<number> {
  return step(context, 'late-approval', () => lateApproval(context));
}

async function cancelled(context: DemoContext): Promise<StepReport<number>> {
  const { number: order } = await context.shop.playOrder({
    items: BASKET,
    deliveryType: 'express',
    payment: 'approved',
  });
  await publishedAs(context, order, 'OrderApproved');
  const command = (name: string, more: object = {}) => ({
    commandId: randomUUID(),
    command: name,
    orderNumber: order,
    ...more,
  });
  const prepare = command('StartPreparation');
  await context.erp.send(TOPIC.orderCommands, [{ key: String(order), value: prepare }]);
  await endsAs(context, prepare.commandId, 'applied');
  const stop = command('CancelOrder', { reason: 'Cliente desistiu' });
  await context.erp.send(TOPIC.orderCommands, [{ key: String(order), value: stop }]);
  await endsAs(context, stop.commandId, 'applied');
  await publishedAs(context, order, 'OrderCancelled');
  const { status } = await context.shop.order(order);
  expectThat(status === 800, `the shop has order ${order} in ${status}, not in 800`);
  // Before the last event the ERP may receive CancellationStarted, depending on whether 750 and 800 arrive
  // together.
  const events = context.erp.eventsOf(order).map(({ type }) => type);
  return {
    where: TOPIC.orderEvents,
    what: `order ${order}, cancelled while it is prepared: ${events.at(0)} … ${events.at(-1)}`,
    value: order,
  };
}

async function paymentRefused(context: DemoContext): Promise<StepReport<number>> {
  const { number: order } = await context.shop.playOrder({ items: BASKET, deliveryType: 'pickup', payment: 'refused' });
  await context.shop.waitUntilQuiet(context.stepTimeoutMs);
  expectThat(context.erp.eventsOf(order).length === 0, `the ERP heard of order ${order}`);
  return {
    where: TOPIC.orderEvents,
    what: `order ${order}, whose payment is refused: the ERP hears nothing`,
    value: order,
  };
}

async function lateApproval(context: DemoContext): Promise<StepReport<number>> {
  await context.shop.bend({ kind: 'webhook-delay', event: 'Order_Updated', times: 1, ms: LATE_MS });
  const { number: order } = await context.shop.playOrder({
    items: BASKET,
    deliveryType: 'scheduled',
    payment: 'approved',
  });
  await context.shop.moveOrder(order, 750);
  await context.shop.moveOrder(order, 800);
  await until(context, `the end of all deliveries of ${order}`, async () => {
    await context.shop.waitUntilQuiet(context.stepTimeoutMs);
    return true;
  });
  expectThat(
    context.erp.eventsOf(order).length === 0,
    `order ${order} was published to the ERP, although it was cancelled already`,
  );
  return {
    where: TOPIC.orderEvents,
    what: `order ${order}, whose 300 comes after its 800: not created, the ERP hears nothing`,
    value: order,
  };
}
