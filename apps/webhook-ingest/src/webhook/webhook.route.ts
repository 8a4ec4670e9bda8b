import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { DirectRoute } from '@gondola/service-kit/http/direct-route';
import { errorBody } from '@gondola/service-kit/http/error-body';
import { BodyBrokenOffError, BodyBudget, type BodyLimits, readBody } from '@gondola/service-kit/http/read-body';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import type { ReceivedOutcome } from './delivery-hours.service.ts';
import { WebhookMetrics } from './webhook.metrics.ts';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Config } from '../config.ts';
import { passedHeaders } from '../mirror/passed-headers.ts';
import { Incoming, type Receiver } from '../notifications/read-notification.ts';
import { InboxOrSpool } from '../spool/inbox-or-spool.service.ts';
import { webhookPath, WEBHOOK_PATH } from '../webhook-path.ts';
import { TokenDirectory } from './webhook-sender.ts';

interface Delivery {
  readonly receiver: Receiver;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly traceparent: string;
  /** When its head had arrived; milliseconds since 1970. */
  readonly since: number;
}

const NOT_STORED = 'The notification is stored nowhere; it must be sent again';

/**
 * Serves `POST /webhooks/platform` and `/webhooks/platform/{tenant}`. The sender is authenticated before its body
 * is read, and the bytes stay as received, whatever their content type is. The route bypasses Nest and Fastify,
 * because every paid order arrives here, at times thousands a second.
 *
 * Answers 401 without a reason for an unknown sender, 413 over the limit, 200 for every body that is on a disk: as a
 * new notification, as a repeat, in the quarantine or in the spool; 503 for a body of which that is unknown (guarantee
 * 1, rules 2, 3, 4). Tested in webhook.int.spec.ts and postgres-outages.long.spec.ts.
 */
@Injectable()
export class WebhookRoute implements DirectRoute {
  readonly #tokens: TokenDirectory;
  readonly #bodies: BodyLimits;

  constructor(
    @Inject(InboxOrSpool) private readonly inboxOrSpool: Pick<InboxOrSpool, 'store'>,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const { maxBodyBytes: limit, maxUnansweredBytes } = config.ingest;
    this.#bodies = { limit, budget: new BodyBudget(maxUnansweredBytes) };
    this.#tokens = new TokenDirectory(config.tenants.map(({ id, webhook }) => ({ id, tokens: webhook.tokens })));
  }

  patternOf({ method, url = '' }: IncomingMessage): string | null {
    return method === 'POST' && webhookPath(url) !== null ? WEBHOOK_PATH : null;
  }

  isKnown(request: IncomingMessage): boolean {
    return this.#tenantOf(request) !== undefined;
  }

  take(request: IncomingMessage, response: ServerResponse, traceparent: string): void {
    const receiver = this.config.receivers.get(this.#tenantOf(request) ?? '');
    if (receiver === undefined) {
      this.metrics.unauthorized();
      response.setHeader('www-authenticate', 'Bearer');
      return refuse(response, 401);
    }
    const delivery = { receiver, request, response, traceparent, since: this.clock.now() };
    this.#receive(delivery).catch((error: unknown) => this.#fail(error, delivery));
  }

  #tenantOf({ headers, url = '' }: IncomingMessage): string | undefined {
    return this.#tokens.tenantOf(headers.authorization, webhookPath(url)?.tenant ?? undefined) ?? undefined;
  }

  async #receive(delivery: Delivery): Promise<void> {
    const { request, response } = delivery;
    const body = await readBody(request, this.#bodies);
    if (body === 'too-long') return this.#refuseTooLarge(delivery);
    if (body === 'no-room') return this.#refuseForRoom(delivery);
    try {
      if (await this.#store(delivery, body)) response.writeHead(200, EMPTY).end();
      else refuse(response, 503, NOT_STORED);
    } finally {
      this.#bodies.budget.release(body.length);
    }
  }

  /** False: a commit may still happen, and the sender's next delivery is then a repeat. */
  async #store(delivery: Delivery, body: Buffer): Promise<boolean> {
    const { receiver, request, traceparent } = delivery;
    const tenant = receiver.id;
    const received = { tenant, body, traceparent, receivedAt: new Date(this.clock.now()) };
    const headers = receiver.isMirrored ? { headers: passedHeaders(request.rawHeaders) } : {};
    const item = new Incoming(receiver, { ...received, ...headers });
    try {
      this.#received(delivery, await this.inboxOrSpool.store(item));
      return true;
    } catch (err) {
      this.#received(delivery, 'not-stored');
      const fields = { tenant, err, bytes: body.length, traceparent };
      this.logger.error(
        fields,
        'A delivery could be stored neither in the inbox nor in the spool and was answered 503',
      );
      return false;
    }
  }

  /** The platform will never send a shorter body, so an operator has to raise the limit. */
  #refuseTooLarge(delivery: Delivery): void {
    this.#received(delivery, 'too-large');
    const { receiver, request, response, traceparent } = delivery;
    const { id: tenant } = receiver;
    const { headers } = request;
    const limit = this.config.ingest.maxBodyBytes;
    const bytes = Number(headers['content-length']) || null;
    const fields = { tenant, limit, bytes, reasonCode: 'LIMIT', traceparent };
    this.logger.error(fields, 'A notification is longer than MAX_BODY_BYTES; it was answered 413 and not stored');
    refuse(response, 413);
  }

  /**
   * The sender delivers it again. The budget exceeds the largest body, so only a sender of many bodies at once is
   * refused.
   */
  #refuseForRoom(delivery: Delivery): void {
    this.#received(delivery, 'not-stored');
    const { receiver, response, traceparent } = delivery;
    const fields = {
      tenant: receiver.id,
      limit: this.config.ingest.maxUnansweredBytes,
      reasonCode: 'LIMIT',
      traceparent,
    };
    this.logger.warn(fields, 'Unanswered bodies exceed MAX_UNANSWERED_BYTES; the longest was aborted and answered 503');
    refuse(response, 503, NOT_STORED);
  }

  #received({ receiver, since }: Delivery, outcome: ReceivedOutcome): void {
    this.metrics.received(receiver.id, outcome, this.clock.now() - since);
  }

  #fail(err: unknown, { response, traceparent }: Delivery): void {
    if (err instanceof BodyBrokenOffError) return refuse(response, 400);
    this.logger.error({ err, statusCode: 500, traceparent }, 'A delivery failed');
    if (!response.headersSent) refuse(response, 500);
  }
}

const EMPTY = { 'content-length': 0 };

function refuse(response: ServerResponse, status: number, message?: string): void {
  const body = JSON.stringify(errorBody(status, message));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
