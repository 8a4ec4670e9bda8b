import { randomUUID } from 'node:crypto';
import { TOPIC } from '../../erp/erp.ts';
import { endsAs, expectThat, step, type Told, toldAs, until, type World } from '../step.ts';

const BASKET = [{ skuExternalReference: '1078-1', quantity: 1, unitPrice: 18.9 }];
/** Far more than the three calls take whose notifications have to be under way before. */
const LATE_MS = 3_000;

export interface Cancelled {
  cancelled: number;
  refused: number;
  late: number;
}

/**
 * What goes wrong in a day: an order cancelled while it is prepared, one whose payment is refused, one whose 300 comes
 * after its 800.
 */
export async function cancel(world: World): Promise<Cancelled> {
  const cancelled = await step(world, 'cancel-while-preparing', () => cancelWhilePreparing(world));
  const refused = await step(world, 'payment-refused', () => paymentRefused(world));
  const late = await step(world, 'late-approval', () => lateApproval(world));
  return { cancelled, refused, late };
}

async function cancelWhilePreparing(world: World): Promise<Told<number>> {
  const { number: order } = await world.shop.playOrder({ items: BASKET, deliveryType: 'express', payment: 'approved' });
  await toldAs(world, order, 'OrderApproved');
  const command = (name: string, more: object = {}) => ({
    commandId: randomUUID(),
    command: name,
    orderNumber: order,
    ...more,
  });
  const prepare = command('StartPreparation');
  await world.erp.send(TOPIC.orderCommands, [{ key: String(order), value: prepare }]);
  await endsAs(world, prepare.commandId, 'applied');
  const stop = command('CancelOrder', { reason: 'Cliente desistiu' });
  await world.erp.send(TOPIC.orderCommands, [{ key: String(order), value: stop }]);
  await endsAs(world, stop.commandId, 'applied');
  await toldAs(world, order, 'OrderCancelled');
  const { status } = await world.shop.order(order);
  expectThat(status === 800, `the shop has order ${order} in ${status}, not in 800`);
  // Between them the ERP hears CancellationStarted, or not: that depends on whether 750 and 800 come into the view
  // together.
  const told = world.erp.eventsOf(order).map(({ type }) => type);
  return {
    where: TOPIC.orderEvents,
    what: `order ${order}, cancelled while it is prepared: ${told.at(0)} … ${told.at(-1)}`,
    value: order,
  };
}

async function paymentRefused(world: World): Promise<Told<number>> {
  const { number: order } = await world.shop.playOrder({ items: BASKET, deliveryType: 'pickup', payment: 'refused' });
  await world.shop.waitUntilQuiet(world.stepTimeoutMs);
  expectThat(world.erp.eventsOf(order).length === 0, `the ERP heard of order ${order}`);
  return {
    where: TOPIC.orderEvents,
    what: `order ${order}, whose payment is refused: the ERP hears nothing`,
    value: order,
  };
}

async function lateApproval(world: World): Promise<Told<number>> {
  await world.shop.bend({ kind: 'webhook-delay', event: 'Order_Updated', times: 1, ms: LATE_MS });
  const { number: order } = await world.shop.playOrder({
    items: BASKET,
    deliveryType: 'scheduled',
    payment: 'approved',
  });
  await world.shop.moveOrder(order, 750);
  await world.shop.moveOrder(order, 800);
  await until(world, `the end of all deliveries of ${order}`, async () => {
    await world.shop.waitUntilQuiet(world.stepTimeoutMs);
    return true;
  });
  expectThat(
    world.erp.eventsOf(order).length === 0,
    `the ERP was told to create order ${order}, which was cancelled already`,
  );
  return {
    where: TOPIC.orderEvents,
    what: `order ${order}, whose 300 comes after its 800: not created, the ERP hears nothing`,
    value: order,
  };
}
