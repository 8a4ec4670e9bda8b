import type { PlatformClient } from '@gondola/platform-client/platform-client';
import type { OrderStatusName } from '@gondola/shared/order-statuses';
import type { CallOptions, ChangeAnswer, OrderPlatform, StatusAnswer } from '../application/order-platform.ts';

/** The platform's order routes of one tenant, in the words of the use cases. */
export class PlatformAdapter implements OrderPlatform {
  readonly #client: PlatformClient;

  constructor(client: PlatformClient) {
    this.#client = client;
  }

  async setStatus(orderNumber: string, status: OrderStatusName, options: CallOptions): Promise<ChangeAnswer> {
    const answer = await this.#client.patchOrderStatus(orderNumber, status, options);
    return answer.kind === 'unknown' ? { kind: 'unknown', cause: answer.cause } : answer;
  }

  async readStatus(orderNumber: string, options: CallOptions): Promise<StatusAnswer> {
    const answer = await this.#client.getOrderStatus(orderNumber, options);
    if (answer.kind === 'unavailable') return answer;
    return { kind: 'status', status: answer.kind === 'found' ? answer.value : null };
  }

  pausedForMs(): number {
    const until = this.#client.pausedUntil();
    return until === null ? 0 : Math.max(0, until - (performance.timeOrigin + performance.now()));
  }
}
