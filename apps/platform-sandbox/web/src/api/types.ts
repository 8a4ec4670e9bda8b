/** Answers of the admin API, as far as the page shows them. */

export interface Overview {
  readonly now: string;
  readonly clockOffsetMs: number;
  readonly version: string;
  readonly storage: 'memory' | 'journal';
  readonly paused: boolean;
  readonly pendingDeliveries: number;
  readonly deadLetters: number;
  readonly faults: number;
}

export interface Webhook {
  readonly url: string;
  readonly authType: string | number | null;
  readonly hasToken: boolean;
  readonly eventTypes: readonly string[];
}

export interface Tenant {
  readonly contractAccountId: string;
  readonly username: string;
  readonly products: number;
  readonly orders: number;
  readonly webhook: Webhook | null;
  /** Test credentials, where the sandbox shows them. */
  readonly password?: string;
  readonly apiKey?: string;
}

export interface Sku {
  readonly externalReference: string;
  readonly name: string;
  readonly unitOfMeasure: string;
  readonly isWeighable: boolean;
  /** In the unit of measurement. */
  readonly saleStep: number;
  readonly price: number | null;
  readonly promotionalPrice: number | null;
  readonly stock: number | null;
  readonly imageUrl: string | null;
}

export interface Product {
  readonly seq: number;
  readonly externalReference: string;
  readonly name: string;
  readonly visible: boolean;
  readonly hiddenBecause: string | null;
  readonly brand: { readonly name: string } | null;
  readonly category: { readonly name: string } | null;
  readonly imageUrl: string | null;
  readonly skus: readonly Sku[];
}

interface OrderItem {
  readonly skuExternalReference: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitOfMeasure: string;
  readonly unitPrice: number;
  readonly total: number;
}

export interface Order {
  readonly number: number;
  readonly contractAccountId: string;
  readonly status: number;
  readonly paid: 'approved' | 'refused' | 'pending';
  readonly createdAt: string;
  readonly deliveryType: number;
  readonly statusHistory: ReadonlyArray<{ readonly status: number; readonly at: string }>;
  readonly items: readonly OrderItem[];
  readonly totals: Readonly<
    Record<'subtotal' | 'discount' | 'couponDiscount' | 'giftCard' | 'freight' | 'total', number>
  >;
  readonly invoice: { readonly number: string; readonly issuanceDate: string; readonly value: number } | null;
  readonly invoiceFile: { readonly fileName: string; readonly url: string } | null;
  readonly canBeCancelled: boolean;
}

export interface Status {
  readonly code: number;
  readonly name: string;
  /** A merchant's PATCH may set it. */
  readonly isSettable: boolean;
}

export type NotificationState = 'pending' | 'delivered' | 'dead' | 'lost';

export interface Notification {
  readonly seq: number;
  readonly eventType: string;
  readonly operationId: string | null;
  readonly orderNumber: number | null;
  readonly status: number | null;
  readonly reference: string | null;
  readonly state: NotificationState;
  readonly createdAt: string;
  readonly dueAt: string;
  readonly attempts: ReadonlyArray<{
    readonly attempt: number;
    readonly at: string;
    readonly answer: number | 'under way' | null;
  }>;
  readonly body: unknown;
  readonly bodyBase64: string;
}

type Outcome = 'waiting' | 'taken' | 'refused' | 'partly-refused' | 'silent' | 'crashed';

export interface Operation {
  readonly operationId: string;
  readonly kind: string;
  readonly outcome: Outcome;
  readonly rejections: ReadonlyArray<{
    readonly at: string;
    readonly eventType: string;
    readonly about: string | null;
    readonly error: unknown;
  }>;
  readonly notifications: ReadonlyArray<{
    readonly seq: number;
    readonly eventType: string;
    readonly status: number | null;
    readonly state: NotificationState;
  }>;
}

export interface Request {
  readonly seq: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: unknown;
  readonly status: number | null;
  readonly body: unknown;
  readonly operationId: string | null;
  readonly refusal: { readonly code: string; readonly message: string } | null;
  readonly faults: readonly string[];
}

type JsonSchema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
};

export interface FaultKind {
  readonly kind: string;
  readonly effect: string;
  readonly of: ReadonlyArray<'call' | 'notification'>;
  readonly options: ReadonlyArray<{
    readonly name: string;
    readonly description?: string;
    readonly schema: JsonSchema;
  }>;
}

export interface ActiveFault {
  readonly id: number | string;
  readonly fault: { readonly kind: string } & Readonly<Record<string, unknown>>;
  readonly matched: number;
  readonly struck: number;
}

export interface SwitchKind {
  readonly name: string;
  readonly meaning: string;
  readonly default: unknown;
  readonly schema: JsonSchema;
}

export interface Seeded {
  readonly contractAccountId: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string | null;
  readonly products: number;
  readonly orders: { readonly count: number };
}
