import { COMMAND_FIELDS } from '../fields/command-fields.ts';
import { ContentDto } from '../files/content.dto.ts';
import type { Digits } from '../json/json-digits.ts';
import { MAX_ITEMS } from '../limits.ts';
import type { DecimalInput } from '../catalog/sku-record.dto.ts';
import { Field } from '../schemas/field.decorators.ts';
import type { UnitName } from '../units-and-money/units.ts';
import { type PickingOutcome, PICKING_OUTCOMES } from './picking-items.ts';

/** Fields of every order command (contract, "Order commands"). */
export class OrderCommandDto {
  @Field(COMMAND_FIELDS.commandId) commandId!: string;
  @Field(COMMAND_FIELDS.command) command!: string;
  @Field(COMMAND_FIELDS.orderNumber) orderNumber!: number | Digits | string;
  @Field(COMMAND_FIELDS.requestedAt) requestedAt?: string | null;
  @Field(COMMAND_FIELDS.requestedBy) requestedBy?: string | null;
  @Field(COMMAND_FIELDS.tenant) tenant?: string | null;
}

/**
 * `MarkReady`, `Ship`, `ConfirmDelivery`, `ReportDeliveryFailure`, `RegisterReturn`: each sets a status by PATCH.
 * Their additional fields are stored, but not sent.
 */
export class StatusCommandDto extends OrderCommandDto {
  @Field({ type: 'text' }) reason?: string | null;
  @Field({ type: 'text' }) carrier?: string | null;
  @Field({ type: 'text' }) tracking?: string | null;
}

export class PickedQuantityDto {
  @Field({ type: 'decimal', required: 'always', min: 0 }) value!: DecimalInput;
  @Field({ type: 'unit', required: 'always', tenantNames: 'catalog.units' }) unit!: UnitName;
}

export class PickingItemDto {
  @Field({ type: 'identity', required: 'always' }) skuExternalReference!: string;
  @Field({ type: 'integer', min: 1, about: 'Line of the order, if its SKU occurs twice' })
  line?: DecimalInput | null;
  @Field({ type: 'choice', required: 'always', choices: PICKING_OUTCOMES }) outcome!: PickingOutcome;
  @Field({ type: 'identity', about: "The replaced SKU's reference" }) substitutes?: string | null;
  @Field({ type: 'record', of: () => PickedQuantityDto }) quantity?: PickedQuantityDto | null;
  @Field({ type: 'decimal', min: 0, about: 'Price per unit of measure, with any decimals' })
  unitPrice?: DecimalInput | null;
  @Field({ type: 'decimal', min: 0, about: 'Price of the line, with any decimals' }) total?: DecimalInput | null;
}

/** PUT order, confirmed by 1300; absent lines stay as ordered. */
export class ReportPickingDto extends OrderCommandDto {
  @Field({ type: 'money', required: 'always', min: 0, about: 'Total of the order, including freight' })
  finalOrderPrice!: DecimalInput;
  @Field({
    type: 'list',
    required: 'always',
    maxEntries: MAX_ITEMS,
    of: () => PickingItemDto,
    about: 'Absent lines stay as ordered',
  })
  items!: PickingItemDto[];
}

/** PUT invoiced, POST invoice/upload, GET status, PATCH if necessary. */
export class RegisterInvoiceDto extends OrderCommandDto {
  @Field({ type: 'code', required: 'always' }) number!: DecimalInput;
  @Field({ type: 'time', required: 'always' }) issuedAt!: string;
  @Field({
    type: 'money',
    required: 'always',
    min: 0,
    about: "In currency units; equals the order's final price",
  })
  value!: DecimalInput;
  @Field({ type: 'record', of: () => ContentDto, about: 'The DANFE, not the XML of the NF-e' }) pdf?: ContentDto | null;
  @Field({ type: 'code' }) series?: DecimalInput | null;
  @Field({ type: 'code' }) model?: DecimalInput | null;
  @Field({
    type: 'access-key',
    about: 'Access key of the NF-e; compared with number, series, model and month of issue, but not sent',
  })
  accessKey?: string | null;
}

export class AttachInvoicePdfDto extends OrderCommandDto {
  @Field({ type: 'record', required: 'always', of: () => ContentDto }) pdf!: ContentDto;
}

/** POST cancel; progress at 750, applied at 800. */
export class CancelOrderDto extends OrderCommandDto {
  @Field({ type: 'text', required: 'always' }) reason!: string;
}

/** Withdraws a command of the same order that was not sent yet; makes no call. */
export class WithdrawCommandDto extends OrderCommandDto {
  @Field({ type: 'identity', required: 'always', about: '`commandId` of a command that was not sent yet' })
  withdraws!: string;
}

interface OrderCommandSpec {
  readonly dto: new () => OrderCommandDto;
  /** Sentence of the contract. */
  readonly about: string;
}

/** The order commands with their fields (contract, "Order commands"). */
export const ORDER_COMMANDS = {
  StartPreparation: {
    dto: OrderCommandDto,
    about: 'The order is being prepared: sets status 400.',
  },
  ReportPicking: {
    dto: ReportPickingDto,
    about: 'What was picked, and what the order costs by it: the platform recalculates the order (1300).',
  },
  RegisterInvoice: {
    dto: RegisterInvoiceDto,
    about: 'Registers the invoice, attaches its PDF if there is one, and sets status 350.',
  },
  AttachInvoicePdf: {
    dto: AttachInvoicePdfDto,
    about: 'Attaches the PDF of an invoice that is registered.',
  },
  MarkReady: {
    dto: StatusCommandDto,
    about: 'The order is ready for pick-up or delivery: sets status 500.',
  },
  Ship: {
    dto: StatusCommandDto,
    about: 'The order has left: sets status 600.',
  },
  ConfirmDelivery: {
    dto: StatusCommandDto,
    about: 'The order was delivered: sets status 700.',
  },
  ReportDeliveryFailure: {
    dto: StatusCommandDto,
    about: 'The delivery failed: sets status 900.',
  },
  RegisterReturn: {
    dto: StatusCommandDto,
    about: 'The order came back: sets status 1000.',
  },
  CancelOrder: {
    dto: CancelOrderDto,
    about: 'Cancels the order: 750 is the progress, 800 the end.',
  },
  RefreshOrder: {
    dto: OrderCommandDto,
    about: 'Reads the order anew; the result carries it in `data`.',
  },
  ReleaseOrder: {
    dto: OrderCommandDto,
    about: 'Creates an order whose payment notice never came.',
  },
  WithdrawCommand: {
    dto: WithdrawCommandDto,
    about: 'Takes back a command of the same order that was not sent yet.',
  },
} as const satisfies Readonly<Record<string, OrderCommandSpec>>;

export type OrderCommandName = keyof typeof ORDER_COMMANDS;
