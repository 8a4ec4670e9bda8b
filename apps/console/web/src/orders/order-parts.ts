import type { components } from '../api/order-command-handler.d.ts';

/** An order as the operations API shows it, with the parts that its document leaves open named here. */
export interface Order extends Omit<components['schemas']['ShownOrder'], 'values' | 'people' | 'timeline'> {
  readonly values: OrderValues | null;
  readonly people: OrderPeople | null;
  readonly timeline: readonly TimelineEntry[];
}

interface CodeAndName {
  readonly code: number;
  readonly name: string | null;
}

/** As an order event has them (docs/contract.md, "Order events"). */
export interface OrderValues {
  readonly createdAt: string | null;
  readonly fulfilment: {
    readonly type: CodeAndName | null;
    readonly windowStart: string | null;
    readonly windowEnd: string | null;
    readonly pickupPoint: string | null;
  };
  readonly totals: Readonly<Record<'subtotal' | 'discount' | 'freight' | 'total', string | null>>;
  readonly items: readonly OrderItem[];
}

export interface OrderItem {
  readonly line: number;
  readonly skuExternalReference: string | null;
  readonly name: string | null;
  readonly ean: string | null;
  readonly unitOfMeasure: string | null;
  readonly orderedQuantity: number | null;
  readonly approximateWeight: { readonly value: string; readonly unit: string } | null;
  readonly salePrice: string | null;
  /** Before discounts. */
  readonly gross: string | null;
  readonly discount: string | null;
  readonly net: string | null;
}

type Texts<Names extends string> = Readonly<Record<Names, string | null>>;

export interface OrderPeople {
  readonly customer: Texts<'firstName' | 'lastName' | 'email' | 'document' | 'phone'>;
  readonly address: Texts<
    'street' | 'number' | 'additionalInfo' | 'neighborhood' | 'city' | 'state' | 'zipCode' | 'reference'
  >;
  readonly payments: ReadonlyArray<Texts<'method' | 'provider' | 'brand' | 'value'>>;
}

export type TimelineEntry = { readonly at: string } & (
  | {
      readonly kind: 'fact';
      readonly source: 'notification' | 'read';
      readonly eventType: string;
      readonly operationId: string | null;
      readonly status: CodeAndName | null;
      readonly error: { readonly statusCode: number | null; readonly title: string | null } | null;
    }
  | {
      readonly kind: 'command';
      readonly commandId: string;
      readonly command: string;
      readonly requestedBy: string | null;
    }
  | {
      readonly kind: 'attempt';
      readonly commandId: string;
      readonly step: string;
      readonly answer: {
        readonly kind: 'accepted' | 'refused' | 'unknown';
        readonly status: number | null;
        readonly cause: string | null;
      } | null;
    }
  | { readonly kind: 'reading'; readonly of: 'status' | 'payload'; readonly found: string | null }
  | { readonly kind: 'pdf'; readonly asked: 'check' | 'attach' }
  | {
      readonly kind: 'outcome';
      readonly command: string;
      readonly outcome: string;
      readonly isCorrection: boolean;
      readonly reasonCode: string | null;
      readonly evidence: string | null;
    }
  | {
      readonly kind: 'event';
      readonly type: string;
      readonly revision: number | null;
      readonly status: CodeAndName | null;
    }
);
