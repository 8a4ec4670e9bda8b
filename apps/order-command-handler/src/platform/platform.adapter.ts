import type { MutationAnswer, Registered } from '@gondola/platform-client/answers';
import { readFinalPrice, showsRegistration } from '@gondola/platform-client/payload-readings';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import { pickingBody } from '@gondola/platform-client/wire-bodies';
import type { WireProfile } from '@gondola/platform-client/wire-profile';
import { isPlainRecord, type JsonRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { orderStatusName } from '@gondola/shared/orders/order-statuses';
import type {
  CallOptions,
  ChangeAnswer,
  InvoiceFacts,
  OrderPlatform,
  PayloadAnswer,
  StatusAnswer,
} from './order-calls.ts';
import type { Change } from './change.ts';

/** The platform's order routes of one tenant, in the words of the use cases. */
export class PlatformAdapter implements OrderPlatform {
  readonly #client: PlatformClient;
  readonly #profile: WireProfile;

  constructor(client: PlatformClient, profile: WireProfile) {
    this.#client = client;
    this.#profile = profile;
  }

  async change(orderNumber: string, change: Change, options: CallOptions): Promise<ChangeAnswer> {
    const answer = await this.#send(orderNumber, change, options);
    if (answer.kind === 'unknown') return { kind: 'unknown', cause: answer.cause };
    if (answer.kind !== 'accepted') return answer;
    return { kind: 'accepted', operationId: 'transactionId' in answer ? answer.transactionId : answer.operationId };
  }

  async readStatus(orderNumber: string, options: CallOptions): Promise<StatusAnswer> {
    const answer = await this.#client.getOrderStatus(orderNumber, options);
    if (answer.kind === 'unavailable') return answer;
    return { kind: 'status', status: answer.kind === 'found' ? answer.value : null };
  }

  async readPayload(orderNumber: string, options: CallOptions): Promise<PayloadAnswer> {
    const answer = await this.#client.getWebhookPayload(orderNumber, options);
    if (answer.kind === 'refused') return { kind: 'refused' };
    if (answer.kind !== 'found') return answer;
    const payload = tryParseWithDigits(answer.value);
    if (!isPlainRecord(payload)) return { kind: 'refused' };
    const { status, id } = payload;
    return {
      kind: 'found',
      payload: {
        data: Buffer.from(answer.value),
        status: typeof status === 'number' && Number.isInteger(status) ? status : null,
        orderId: typeof id === 'string' ? id : null,
        ...this.invoiceFactsOf(payload),
      },
    };
  }

  invoiceFactsOf(payload: JsonRecord): InvoiceFacts {
    return { price: readFinalPrice(this.#profile, payload), registered: showsRegistration(this.#profile, payload) };
  }

  pausedForMs(): number {
    const until = this.#client.pausedUntil();
    return until === null ? 0 : Math.max(0, until - (performance.timeOrigin + performance.now()));
  }

  async #send(
    orderNumber: string,
    change: Change,
    options: CallOptions,
  ): Promise<MutationAnswer | MutationAnswer<Registered>> {
    const client = this.#client;
    if (change.kind === 'picking') return client.putOrder(orderNumber, pickingBody(this.#profile, change), options);
    if (change.kind === 'register') return client.putInvoiced(orderNumber, change.body, options);
    if (change.kind === 'cancel') return client.cancelOrder(orderNumber, change.reason, options);
    const name = orderStatusName(change.target);
    if (name === null) throw new Error('A status without a name cannot be set');
    return client.patchOrderStatus(orderNumber, name, options);
  }
}
