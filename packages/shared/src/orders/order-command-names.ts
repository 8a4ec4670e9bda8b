import type { OrderStatusCode } from './order-statuses.ts';

/**
 * The ERP's order commands and the status that each one aims at; null where it aims at none (contract, "Order
 * commands").
 * `CancelOrder` is applied at 800 with 750 on the way, `ReportPicking` is confirmed by 1300, which is no status.
 */
export const ORDER_COMMAND_TARGETS = {
  StartPreparation: 400,
  ReportPicking: null,
  RegisterInvoice: 350,
  AttachInvoicePdf: 350,
  MarkReady: 500,
  Ship: 600,
  ConfirmDelivery: 700,
  ReportDeliveryFailure: 900,
  RegisterReturn: 1000,
  CancelOrder: 800,
  RefreshOrder: null,
  ReleaseOrder: null,
  WithdrawCommand: null,
} as const satisfies Record<string, OrderStatusCode | null>;

export type OrderCommandName = keyof typeof ORDER_COMMAND_TARGETS;

export const ORDER_COMMAND_NAMES = Object.keys(ORDER_COMMAND_TARGETS) as readonly OrderCommandName[];

export function isOrderCommandName(name: unknown): name is OrderCommandName {
  return typeof name === 'string' && Object.hasOwn(ORDER_COMMAND_TARGETS, name);
}
