import type { ReadAnswer } from '@gondola/platform-client/answers';
import { ConflictException, Injectable, NotFoundException, ServiceUnavailableException } from '@nestjs/common';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import type { ShownDetails } from './orders.dto.ts';
import { ShowOrder } from './show-order.service.ts';

const MAX_LENGTH = 1_000_000;
const MS = 1_000;

/** Reads an order at the platform's core service and shows the answer as it is: its form is not documented. */
@Injectable()
export class ShowDetails {
  constructor(
    private readonly orders: ShowOrder,
    private readonly platform: PlatformAdapter,
  ) {}

  /** @throws HttpException if there are no details to show */
  async show(tenant: string, orderNumber: string, traceparent: string): Promise<ShownDetails> {
    const orderId = await this.orders.idOf(tenant, orderNumber);
    if (orderId === undefined) throw new NotFoundException();
    if (orderId === null) throw conflict('ORDER_ID_UNKNOWN', 'No notification has named the id of the order yet');
    const text = foundIn(await this.platform.readDetails(tenant, orderId, traceparent));
    const details = text.slice(0, MAX_LENGTH).toWellFormed();
    return { tenant, orderNumber, orderId, details, truncated: text.length > MAX_LENGTH };
  }
}

function foundIn(answer: ReadAnswer<string> | null): string {
  if (answer === null)
    throw conflict('CORE_KEY_MISSING', 'The tenant has no platform.coreApiKey, which the core service asks for');
  if (answer.kind === 'found') return answer.value;
  if (answer.kind === 'not-found') {
    throw new NotFoundException({ code: 'CORE_ORDER_UNKNOWN', message: 'The core service does not know the order' });
  }
  if (answer.kind === 'refused')
    throw conflict('CORE_REFUSED', `The core service refuses to show the order: ${answer.status}`);
  if (answer.cause === 'credentials')
    throw conflict('CORE_KEY_REFUSED', 'The core service refuses the platform.coreApiKey of the tenant');
  const seconds = Math.ceil(answer.retryAfterMs / MS);
  throw new ServiceUnavailableException({
    code: 'CORE_UNAVAILABLE',
    message: `The core service gives no answer (${answer.cause}); ask again in ${seconds} s`,
  });
}

function conflict(code: string, message: string): ConflictException {
  return new ConflictException({ code, message });
}
