import { CancelOrderDto } from '../dto/cancel-order.dto.ts';
import { OrderCommandDto } from '../dto/order-command.dto.ts';
import { AttachInvoicePdfDto, RegisterInvoiceDto } from '../dto/register-invoice.dto.ts';
import { ReportPickingDto } from '../dto/report-picking.dto.ts';
import { StatusCommandDto } from '../dto/status-command.dto.ts';
import { WithdrawCommandDto } from '../dto/withdraw-command.dto.ts';

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
