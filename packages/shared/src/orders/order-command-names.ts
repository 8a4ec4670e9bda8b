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

/**
 * The queue of its order's lane that a command joins: those of one queue run one at a time, queues side by side (rule
 * 19).
 */
const ORDER_COMMAND_QUEUES: Readonly<Record<OrderCommandName, 'main' | 'cancel'>> = {
  StartPreparation: 'main',
  ReportPicking: 'main',
  RegisterInvoice: 'main',
  AttachInvoicePdf: 'main',
  MarkReady: 'main',
  Ship: 'main',
  ConfirmDelivery: 'main',
  ReportDeliveryFailure: 'main',
  RegisterReturn: 'main',
  CancelOrder: 'cancel',
  RefreshOrder: 'main',
  ReleaseOrder: 'main',
  WithdrawCommand: 'main',
};

/** The queue of a command by its name as it was written; what no command is called waits with the others. */
export function orderCommandQueue(name: string): 'main' | 'cancel' {
  return isOrderCommandName(name) ? ORDER_COMMAND_QUEUES[name] : 'main';
}

export function isOrderCommandName(name: unknown): name is OrderCommandName {
  return typeof name === 'string' && Object.hasOwn(ORDER_COMMAND_TARGETS, name);
}
