import { CancelOrderDto } from './cancel-order.dto.ts';
import { OrderCommandDto } from './order-command.dto.ts';
import { AttachInvoicePdfDto, RegisterInvoiceDto } from './register-invoice.dto.ts';
import { ReportPickingDto } from './report-picking.dto.ts';
import { StatusCommandDto } from './status-command.dto.ts';
import { WithdrawCommandDto } from './withdraw-command.dto.ts';

/** DTO of each order command (contract, "Order commands"). */
export const ORDER_COMMAND_DTOS = {
  StartPreparation: OrderCommandDto,
  ReportPicking: ReportPickingDto,
  RegisterInvoice: RegisterInvoiceDto,
  AttachInvoicePdf: AttachInvoicePdfDto,
  MarkReady: StatusCommandDto,
  Ship: StatusCommandDto,
  ConfirmDelivery: StatusCommandDto,
  ReportDeliveryFailure: StatusCommandDto,
  RegisterReturn: StatusCommandDto,
  CancelOrder: CancelOrderDto,
  RefreshOrder: OrderCommandDto,
  ReleaseOrder: OrderCommandDto,
  WithdrawCommand: WithdrawCommandDto,
} as const satisfies Readonly<Record<string, new () => OrderCommandDto>>;

export type OrderCommandName = keyof typeof ORDER_COMMAND_DTOS;
