import { randomUUID } from 'node:crypto';
import { invoicePdf } from '../../erp/contents.ts';
import { TOPIC } from '../../erp/erp.ts';
import { asCents, centsText } from '../amounts.ts';
import { endsAs, expectThat, step, type StepReport, publishedAs, upload, type DemoContext } from '../step.ts';

/** Two granolas, one rice and cheese in three steps of 100 g, as the shopper chose them. */
const BASKET = [
  { skuExternalReference: '1078-1', quantity: 2 },
  { skuExternalReference: '1147-1', quantity: 1 },
  { skuExternalReference: '4711-1', quantity: 3 },
];
/** Cheese that was chosen, in kilograms. */
const CHOSEN_KG = 0.3;

/** As picked: 312 g of cheese, and a granola with a reduced price. 31.80 + 14.50 + 12.45. */
const PICKED = {
  finalOrderPrice: '58.75',
  items: [
    {
      skuExternalReference: '1078-1',
      outcome: 'picked',
      quantity: { value: '2', unit: 'Un' },
      unitPrice: '15.90',
      total: '31.80',
    },
    {
      skuExternalReference: '4711-1',
      outcome: 'picked',
      quantity: { value: '0.312', unit: 'Kg' },
      unitPrice: '39.90',
      total: '12.45',
    },
  ],
};

/**
 * Takes one order from the shopper's basket to its delivery: picked, weighed, invoiced, delivered. Returns its
 * number.
 */
export async function sell(context: DemoContext): Promise<number> {
  const order = await step(context, 'shopper-buys', async () => {
    const { number } = await context.shop.playOrder({ items: BASKET, deliveryType: 'scheduled', payment: 'approved' });
    return {
      where: 'shopper',
      what: `buys granola, rice and about 300 g of cheese at the ERP’s prices, paid: order ${number}`,
      value: number,
    };
  });
  await step(context, 'order-approved', () => approved(context, order));
  await step(context, 'start-preparation', () => movesTo(context, order, 'StartPreparation', 400));
  await step(context, 'report-picking', () => reportPicking(context, order));
  await step(context, 'register-invoice', () => registerInvoice(context, order));
  await step(context, 'mark-ready', () => movesTo(context, order, 'MarkReady', 500));
  await step(context, 'ship', () => movesTo(context, order, 'Ship', 600));
  await step(context, 'confirm-delivery', () => movesTo(context, order, 'ConfirmDelivery', 700));
  await step(context, 'no-echo', async () => {
    await context.shop.waitUntilQuiet(context.stepTimeoutMs);
    const events = context.erp.eventsOf(order).map(({ type, revision }) => `${type} ${revision}`);
    expectThat(
      events.join() === 'OrderApproved 1,ItemsRecalculated 2',
      `order ${order} was published as ${events.join(', ')}`,
    );
    return {
      where: TOPIC.orderEvents,
      what: 'two events in all: the echoes of the ERP’s own commands made none',
      value: undefined,
    };
  });
  return order;
}

async function approved(context: DemoContext, order: number): Promise<StepReport> {
  const event = await publishedAs(context, order, 'OrderApproved');
  expectThat(event.revision === 1, `the first event of ${order} has revision ${event.revision}`);
  const { items, totals } = event.order;
  const expected = priceOfBasket(context);
  expectThat(totals.total === expected, `order ${order} costs ${totals.total}, and ${expected} by the ERP's prices`);
  const matches = items.map(({ match, skuExternalReference }) => `${match} ${skuExternalReference}`);
  expectThat(
    items.every(({ match }) => match === 'exact'),
    `the items of ${order} are ${matches.join(', ')}`,
  );
  const weighed = items.find(({ approximateWeight }) => approximateWeight !== null)?.approximateWeight;
  return {
    where: TOPIC.orderEvents,
    what: `OrderApproved, revision 1, total ${totals.total}, every item known by its SKU, one of about ${weighed?.value} ${weighed?.unit}`,
    value: undefined,
  };
}

/** Total of the basket by the ERP's prices of now. */
function priceOfBasket({ erp: { book } }: DemoContext): string {
  const cents = BASKET.map(({ skuExternalReference, quantity }) => {
    const amount = skuExternalReference === '4711-1' ? CHOSEN_KG : quantity;
    return Math.round(amount * (asCents(book.priceOf(skuExternalReference)) ?? 0));
  });
  return centsText(cents.reduce((sum, each) => sum + each, 0));
}

async function movesTo(context: DemoContext, order: number, command: string, status: number): Promise<StepReport> {
  const commandId = randomUUID();
  await context.erp.send(TOPIC.orderCommands, [
    { key: String(order), value: { commandId, command, orderNumber: order } },
  ]);
  const { outcome, evidence } = await endsAs(context, commandId, 'applied');
  const { status: inShop } = await context.shop.order(order);
  expectThat(inShop === status, `the shop has order ${order} in ${inShop}, not in ${status}`);
  return {
    where: TOPIC.orderResults,
    what: `${command} ${outcome}, evidence ${evidence}; the shop has the order in ${status}`,
    value: undefined,
  };
}

async function reportPicking(context: DemoContext, order: number): Promise<StepReport> {
  const commandId = randomUUID();
  const value = { commandId, command: 'ReportPicking', orderNumber: order, ...PICKED };
  await context.erp.send(TOPIC.orderCommands, [{ key: String(order), value }]);
  const { outcome } = await endsAs(context, commandId, 'applied');
  const event = await publishedAs(context, order, 'ItemsRecalculated');
  const { total } = event.order.totals;
  expectThat(total === PICKED.finalOrderPrice, `the shop recalculated ${total}, the ERP ${PICKED.finalOrderPrice}`);
  return {
    where: TOPIC.orderEvents,
    what: `ReportPicking ${outcome}: 312 g of cheese and a new price; ItemsRecalculated to ${total} on both sides`,
    value: undefined,
  };
}

async function registerInvoice(context: DemoContext, order: number): Promise<StepReport> {
  const commandId = randomUUID();
  const number = String(1000 + (order % 1000));
  const uploadId = await upload(context, invoicePdf(`DANFE ${number} - pedido ${order}`), 'application/pdf');
  const issuedAt = new Date().toISOString();
  const invoice = { number, issuedAt, value: PICKED.finalOrderPrice, pdf: { uploadId } };
  await context.erp.send(TOPIC.orderCommands, [
    { key: String(order), value: { commandId, command: 'RegisterInvoice', orderNumber: order, ...invoice } },
  ]);
  const { outcome } = await endsAs(context, commandId, 'applied');
  const inShop = await context.shop.order(order);
  expectThat(
    inShop.invoice?.value === asCents(PICKED.finalOrderPrice),
    `the shop has an invoice of ${inShop.invoice?.value} cents`,
  );
  expectThat(inShop.invoiceFile !== null, 'the shop has no PDF of the invoice');
  expectThat(inShop.status === 350, `the shop has order ${order} in ${inShop.status}, not in 350`);
  return {
    where: TOPIC.orderResults,
    what: `RegisterInvoice ${outcome}: ${inShop.invoice?.value} cents and the PDF in the shop, the order in 350`,
    value: undefined,
  };
}
