import type { LaneResults } from '@gondola/messaging/commands/step-saver';
import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import { derivedCommandKey } from '@gondola/shared/topics/dedup-keys';
import { checkInvoicePdfCommand, uploadInvoicePdfCommand } from '@gondola/shared/orders/derived-command';
import { partitionKey, subjectOf } from '@gondola/shared/topics/identities';
import { buildOrderEvent, encodeFittingOrderEvent } from '../orders/order-event.ts';
import type { OrderValues } from '../facts/order-values.ts';
import { orderStatus } from '@gondola/shared/orders/order-statuses';
import type { PdfRequest } from './lane-plan.ts';
import { orderNumberOf } from '../facts/order-lane.ts';
import { ORDER_COMMANDS, ORDER_EVENTS, ORDER_RESULTS } from '../orders/order-topics.ts';
import type { PendingEvent } from '../orders/plan-events.ts';

/** The entity of an order command's result is the order. */
export const ORDER_LANE_RESULTS: LaneResults = {
  topics: { commands: ORDER_COMMANDS, results: ORDER_RESULTS },
  aboutOf: (lane) => {
    const orderNumber = orderNumberOf(lane);
    return { entity: orderNumber === null ? null : { kind: 'order', orderNumber: Number(orderNumber) } };
  },
};

/**
 * An event as a record for `erp.orders.events.v1`: the whole view, the platform's `data` byte for byte (guarantee 6).
 */
export function eventRecord(
  pending: PendingEvent,
  about: {
    readonly tenant: string;
    readonly time: string;
    readonly order: OrderValues;
    readonly platform: Uint8Array | null;
  },
): OutRecord {
  const { tenant, time, order, platform } = about;
  const { traceparent, previousStatus, status, ...rest } = pending;
  const event = buildOrderEvent({
    ...rest,
    tenant,
    time,
    orderNumber: order.orderNumber,
    previousStatus: previousStatus === null ? null : orderStatus(previousStatus),
    status: orderStatus(status),
    order,
  });
  return {
    topic: ORDER_EVENTS,
    key: event.id,
    id: event.id,
    type: event.type,
    time,
    tenant,
    ...entityOf(tenant, String(order.orderNumber)),
    sequence: event.revision,
    ...(pending.cause.kind === 'command' && { commandId: pending.cause.commandId }),
    traceparent,
    value: encodeFittingOrderEvent(event, platform),
  };
}

/**
 * The command that requests file-gateway to check or attach the PDF, as a record for
 * `erp.files.commands.v1`: keyed and partitioned like an ERP's, by the order's number (contract, "Headers on what
 * Gondola writes").
 */
export function pdfRecord(
  { commandId: parentCommandId, orderId, content }: PdfRequest,
  about: {
    readonly tenant: string;
    readonly time: string;
    readonly orderNumber: string;
    readonly traceparent: string;
  },
): OutRecord {
  const { tenant, time, orderNumber, traceparent } = about;
  const asked = { parentCommandId, orderNumber: Number(orderNumber), content };
  const command = orderId === null ? checkInvoicePdfCommand(asked) : uploadInvoicePdfCommand({ ...asked, orderId });
  return {
    topic: 'erp.files.commands.v1',
    key: orderNumber,
    id: derivedCommandKey(tenant, command.commandId),
    type: orderId === null ? 'CheckInvoicePdf' : 'UploadInvoicePdf',
    time,
    tenant,
    subject: subjectOf({ kind: 'order', identity: orderNumber }),
    commandId: command.commandId,
    traceparent,
    value: Buffer.from(JSON.stringify(command)),
  };
}

function entityOf(tenant: string, orderNumber: string): Pick<OutRecord, 'subject' | 'partitionKey'> {
  return {
    subject: subjectOf({ kind: 'order', identity: orderNumber }),
    partitionKey: partitionKey(tenant, 'order', orderNumber),
  };
}
