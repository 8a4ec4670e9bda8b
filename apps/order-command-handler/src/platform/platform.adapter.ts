import type { InvoiceFile, MutationAnswer, ReadAnswer } from '@gondola/platform-client/answers';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import { PlatformClientError } from '@gondola/platform-client/platform-client-error';
import { readFinalPrice, showsInvoiceFile, shownInvoices } from '@gondola/platform-client/read-answers';
import type { RouteName } from '@gondola/platform-client/routes';
import { pickingBody } from '@gondola/platform-client/wire-bodies';
import type { WireProfile } from '@gondola/platform-client/wire-profile';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { Clock } from '@gondola/service-kit/run/clock';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { isPlainRecord, type JsonRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { numberOf, shownStatus } from '@gondola/shared/orders/read-values';
import { platformMoment } from '@gondola/shared/time';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { Inject, Injectable } from '@nestjs/common';
import { orderStatusName } from '@gondola/shared/orders/order-statuses';
import { PlatformClocks } from './platform-clocks.service.ts';
import type { CallOptions, Change, InvoiceFacts, OrderCall, OrderRef, Payload, Shown } from './order-calls.ts';

const ROUTES = {
  status: 'patchOrderStatus',
  picking: 'putOrder',
  register: 'putInvoiced',
  cancel: 'cancelOrder',
  read: 'getOrderStatus',
  'read-payload': 'getWebhookPayload',
} as const satisfies Record<OrderCall, RouteName>;

/** The platform's order routes. */
@Injectable()
export class PlatformAdapter {
  readonly #profiles: ReadonlyMap<string, WireProfile>;

  constructor(
    private readonly clients: PlatformClients,
    private readonly clock: Clock,
    private readonly clocks: PlatformClocks,
    @Inject(TENANTS) tenants: readonly TenantConfig[],
  ) {
    this.#profiles = new Map(tenants.map(({ id, platform }) => [id, platform.profile]));
  }

  async change({ tenant, orderNumber }: OrderRef, change: Change, options: CallOptions): Promise<MutationAnswer> {
    const client = this.clients.of(tenant);
    if (change.kind === 'picking')
      return client.putOrder(orderNumber, pickingBody(this.#profileOf(tenant), change), options);
    if (change.kind === 'register') return client.putInvoiced(orderNumber, change.body, options);
    if (change.kind === 'cancel') return client.cancelOrder(orderNumber, change.reason, options);
    const name = orderStatusName(change.target);
    if (name === null) throw new Error('A status without a name cannot be set');
    return client.patchOrderStatus(orderNumber, name, options);
  }

  /** Null if the platform shows no status, but 1300 (rule 7). */
  async readStatus({ tenant, orderNumber }: OrderRef, options: CallOptions): Promise<ReadAnswer<number | null>> {
    const answer = await this.#timed(tenant, (client) => client.getOrderStatus(orderNumber, options));
    return answer.kind === 'found' ? { kind: 'found', value: shownStatus(answer.value) } : answer;
  }

  /** `not-found`: unknown to the platform, or not paid; `refused` proves nothing about the order. */
  async readPayload({ tenant, orderNumber }: OrderRef, options: CallOptions): Promise<ReadAnswer<Payload>> {
    const answer = await this.#timed(tenant, (client) => client.getWebhookPayload(orderNumber, options));
    if (answer.kind !== 'found') return answer;
    const payload = tryParseWithDigits(answer.value);
    if (!isPlainRecord(payload)) throw new Error('The payload of an order is no object');
    const { status, updatedAt, contractAccountId, eventType, id } = payload;
    const isV2 = contractAccountId !== undefined && numberOf(eventType) !== null;
    const value: Payload = {
      bytes: Buffer.from(answer.value),
      status: shownStatus(status),
      updatedAt: platformMoment(updatedAt),
      version: isV2 ? 'v2' : 'v1',
      orderId: isIdentityText(id) ? id : null,
      ...this.invoiceFactsOf(tenant, payload),
    };
    return { kind: 'found', value };
  }

  /** The payload, and the status where the payload has none or no date; `calls`: how many calls that took. */
  async readState(order: OrderRef, options: CallOptions): Promise<ReadAnswer<Shown> & { readonly calls: number }> {
    const answer = await this.readPayload(order, options);
    if (answer.kind !== 'found') return { ...answer, calls: 1 };
    const payload = answer.value;
    if (payload.status !== null && payload.updatedAt !== null)
      return { kind: 'found', value: { payload, status: null }, calls: 1 };
    options.signal.throwIfAborted();
    const read = await this.readStatus(order, options);
    return { kind: 'found', value: { payload, status: read.kind === 'found' ? read.value : null }, calls: 2 };
  }

  /** The file that is attached to an order's invoice. */
  readInvoiceFile(tenant: string, orderId: string, options: CallOptions): Promise<ReadAnswer<InvoiceFile>> {
    return this.clients.of(tenant).getInvoice(orderId, options);
  }

  /** The core service's details of an order as it answered them; null for a tenant without its key. */
  async readDetails(tenant: string, orderId: string, traceparent: string): Promise<ReadAnswer<string> | null> {
    try {
      return await this.clients.of(tenant).getOrderDetails(orderId, { traceparent });
    } catch (error) {
      if (error instanceof PlatformClientError && error.code === 'CORE_KEY_MISSING') return null;
      throw error;
    }
  }

  /** Makes a read, and compares the clocks. */
  async #timed<T>(tenant: string, read: (client: PlatformClient) => Promise<ReadAnswer<T>>): Promise<ReadAnswer<T>> {
    const began = this.clock.now();
    const answer = await read(this.clients.of(tenant));
    const platformMs = answer.kind === 'found' ? (answer.platformMs ?? null) : null;
    if (platformMs !== null) this.clocks.compared(tenant, { began, tookMs: this.clock.now() - began, platformMs });
    return answer;
  }

  /** Reads the invoice facts of a payload, also of a notification's. */
  invoiceFactsOf(tenant: string, payload: JsonRecord): InvoiceFacts {
    const profile = this.#profileOf(tenant);
    return {
      price: readFinalPrice(profile, payload),
      invoices: shownInvoices(profile, payload),
      attached: showsInvoiceFile(profile, payload),
    };
  }

  /** Milliseconds until the circuit breakers allow such a call; 0 if they do now. */
  pausedForMs(tenant: string, call: OrderCall): number {
    return this.clients.of(tenant).pausedForMs(ROUTES[call]);
  }

  #profileOf(tenant: string): WireProfile {
    const profile = this.#profiles.get(tenant);
    if (profile === undefined) throw new Error('The tenant of the call is not in the tenants file');
    return profile;
  }
}
