// Cases beyond the demo's day: the rest of an order's course, and the commands of a bad day.
import { randomUUID } from 'node:crypto';
import { invoicePdf, pictureOf } from '../erp/contents.ts';
import { type Result, TOPIC } from '../erp/erp.ts';
import type { Basket } from '../play/sandbox-client.ts';
import { type DemoContext, endsAs, publishedAs, upload } from '../play/step.ts';

interface Content {
  command: string;
  orderNumber?: number;
  skuExternalReference?: string;
  externalReference?: string;
  [field: string]: unknown;
}

interface Approved {
  orderNumber: number;
  items: { skuId: string }[];
}

const ORDER: Basket = {
  items: [{ skuExternalReference: '1078-1', quantity: 1, unitPrice: 18.9 }],
  deliveryType: 'scheduled',
  payment: 'approved',
};
/** Statuses that the shop itself sets, and the events that publish them. */
const COURSES = [
  [
    [400, 'PreparationStarted'],
    [350, 'OrderInvoiced'],
    [500, 'OrderReady'],
    [600, 'OrderShipped'],
    [900, 'DeliveryFailed'],
    [1000, 'OrderReturned'],
  ],
  [
    [600, 'OrderShipped'],
    [700, 'OrderDelivered'],
    [750, 'CancellationStarted'],
    [800, 'OrderCancelled'],
    [1100, 'RefundStarted'],
    [1200, 'RefundCompleted'],
  ],
] as const;

export async function playFurther(context: DemoContext): Promise<void> {
  for (const course of COURSES) {
    const { orderNumber } = await approvedOrder(context);
    for (const [status, event] of course) {
      await context.shop.moveOrder(orderNumber, status);
      await publishedAs(context, orderNumber, event);
    }
  }
  await commandOrders(context);
  await commandFiles(context);
}

async function approvedOrder(context: DemoContext): Promise<Approved> {
  const { number } = await context.shop.playOrder(ORDER);
  const { order } = await publishedAs(context, number, 'OrderApproved');
  return order as typeof order & Approved;
}

/** Commands of orders that are not simply delivered. */
async function commandOrders(context: DemoContext): Promise<void> {
  const { orderNumber } = await approvedOrder(context);
  const commands = [
    { command: 'RefreshOrder' },
    { command: 'Ship' },
    // The order already has this status: unchanged.
    { command: 'Ship' },
    { command: 'ReportDeliveryFailure', reason: 'Ninguém em casa' },
    { command: 'RegisterReturn', reason: 'Cliente desistiu' },
  ];
  for (const { command, ...more } of commands)
    await applied(context, TOPIC.orderCommands, { command, orderNumber, ...more });
}

/** An invoice whose PDF follows later, and pictures that are listed and removed again. */
async function commandFiles(context: DemoContext): Promise<void> {
  const { orderNumber, items } = await approvedOrder(context);
  const invoice = { number: '2001', issuedAt: new Date().toISOString(), value: '18.90' };
  await applied(context, TOPIC.orderCommands, { command: 'RegisterInvoice', orderNumber, ...invoice });
  const pdf = { uploadId: await upload(context, invoicePdf('DANFE 2001'), 'application/pdf') };
  await applied(context, TOPIC.orderCommands, { command: 'AttachInvoicePdf', orderNumber, pdf });
  await applied(context, TOPIC.fileCommands, { command: 'ReadInvoice', orderNumber });

  const [skuExternalReference, externalReference] = ['4711-1', '4711-1'];
  const images = [{ order: 3, content: { uploadId: await upload(context, pictureOf(7), 'image/png') } }];
  const publish = { command: 'PublishSkuImages', skuExternalReference, images };
  const { commandId: undoes } = await applied(context, TOPIC.fileCommands, publish);
  await applied(context, TOPIC.fileCommands, { command: 'UndoImageUpload', skuExternalReference, undoes });
  const list = { command: 'ListFiles', externalReference, fileType: 'SKU' };
  const { data } = (await applied(context, TOPIC.fileCommands, list)) as Result & { data: { urls: string[] } };
  const remove = { command: 'RemoveFiles', externalReference, fileType: 'SKU', urls: data.urls.slice(0, 1) };
  await applied(context, TOPIC.fileCommands, remove);
  await applied(context, TOPIC.fileCommands, { command: 'RemoveAllFiles', entityId: items[0]?.skuId, confirm: true });
}

/** Sends a command and waits for its outcome. */
async function applied(context: DemoContext, topic: string, content: Content): Promise<Result> {
  const commandId = randomUUID();
  const key = String(content.orderNumber ?? content.skuExternalReference ?? content.externalReference ?? commandId);
  await context.erp.send(topic, [{ key, value: { commandId, ...content } }]);
  return endsAs(context, commandId, 'applied', 'unchanged');
}
