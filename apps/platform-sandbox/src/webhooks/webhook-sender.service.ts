import type { Logger } from 'pino';
import type { Clock } from '../runtime/clock.service.ts';
import type { Signals } from '../runtime/signals.ts';
import type { Store, Table } from '../store/store.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Deliveries, Delivery } from './deliveries.service.ts';
import { deliveryHeaders, type WebhookRegistration } from './registration.ts';
import { postWebhook } from './webhook-post.adapter.ts';
import type { Webhooks } from './webhooks.service.ts';

export interface SenderServices {
  readonly store: Store;
  readonly settings: Table<string, unknown>;
  readonly deliveries: Deliveries;
  readonly webhooks: Webhooks;
  readonly switches: SwitchBoard;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly logger: Logger;
  /** Notifications that are delivered at the same time. */
  readonly concurrency: number;
  /** Time after which an unanswered attempt counts as failed. */
  readonly timeoutMs: number;
}

const MAX_ATTEMPTS = 3;
const PAUSED = 'sender-paused';
/** Every new delivery gives a signal and later due times are known; this interval is only a safety net. */
const LOOK_AGAIN_MS = 120_000;
/** Time for a running attempt to finish before a stop aborts it. */
const STOP_GRACE_MS = 3_000;

/**
 * Delivers notifications: up to three attempts with the same bytes and without a pause. Any 2xx is final; after the
 * last attempt the notification is a dead letter. Different notifications are sent in parallel, in no promised
 * order. docs/platform.md, "Delivery rules". Tested in test/webhook-delivery.e2e.spec.ts.
 */
export class WebhookSender {
  private readonly inFlight = new Map<number, Promise<void>>();
  private readonly cutOff = new AbortController();
  private running: Promise<void> | undefined;
  private isStopping = false;
  private holds = 0;

  constructor(private readonly services: SenderServices) {}

  get paused(): boolean {
    return this.services.settings.get(PAUSED) === true;
  }

  /** True while `whileHeld` is under way. */
  get isHeld(): boolean {
    return this.holds > 0;
  }

  start(): void {
    this.services.deliveries.endForgottenAttempts();
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.services.signals.sender.give();
    const graceEnd = setTimeout(() => this.cutOff.abort(), STOP_GRACE_MS);
    await this.running;
    await Promise.all(this.inFlight.values());
    clearTimeout(graceEnd);
  }

  /** A paused sender begins no delivery, also after a restart. Resolves once running attempts are finished. */
  async setPaused(paused: boolean): Promise<void> {
    this.services.store.unit(() => this.services.settings.put(PAUSED, paused));
    this.services.signals.sender.give();
    if (paused) await Promise.all(this.inFlight.values());
  }

  /**
   * Carries out `work` once running attempts are finished, and begins no delivery until then. Nothing of it is stored:
   * a process that dies meanwhile delivers again after its next start.
   */
  async whileHeld(work: () => void): Promise<void> {
    this.holds += 1;
    try {
      await Promise.all(this.inFlight.values());
      work();
    } finally {
      this.holds -= 1;
      this.services.signals.sender.give();
    }
  }

  /** Ends a pause, within a unit of work. */
  forgetPause(): void {
    this.services.settings.delete(PAUSED);
  }

  /**
   * Posts any bytes to a merchant's webhook, once. `headers` replace the usual ones, regardless of case; null
   * removes one. Returns the status of the answer, null without an answer, undefined without a webhook.
   */
  async sendRaw(
    contractAccountId: string,
    headers: Readonly<Record<string, string | null>>,
    body: Buffer,
  ): Promise<number | null | undefined> {
    const webhook = this.services.webhooks.of(contractAccountId);
    return webhook && this.post(webhook.registration, body, headers);
  }

  private async run(): Promise<void> {
    const { clock, signals } = this.services;
    while (!this.isStopping) {
      const wake = signals.sender.next();
      const waitMs = this.launchDue();
      signals.rest.give();
      await clock.atMost(waitMs, wake);
    }
  }

  /** Begins due deliveries while there is room. Returns the milliseconds until the next look. */
  private launchDue(): number {
    const { deliveries, store, webhooks, concurrency } = this.services;
    // Without a journal that can be written, no attempt may be made.
    while (
      !this.paused &&
      !this.isHeld &&
      !this.isStopping &&
      store.failure === null &&
      this.inFlight.size < concurrency
    ) {
      const delivery = deliveries.nextDue();
      if (delivery === undefined) return Math.max(1, Math.min(LOOK_AGAIN_MS, deliveries.nextDueInMs ?? LOOK_AGAIN_MS));
      const { seq, attempts } = delivery;
      const webhook = webhooks.of(delivery.contractAccountId);
      // A crash left it with all its attempts, or a reset removed its webhook.
      const isOver = attempts.length >= MAX_ATTEMPTS || webhook === undefined;
      store.unit(() => (isOver ? deliveries.end(seq, 'dead') : deliveries.beginAttempt(seq)));
      if (webhook && !isOver) this.launch(delivery, webhook.registration);
    }
    return LOOK_AGAIN_MS;
  }

  private launch(delivery: Delivery, webhook: WebhookRegistration): void {
    const { seq, eventType, operationId } = delivery;
    const { deliveries, logger, signals } = this.services;
    const ended = this.deliver(delivery, webhook)
      .catch((err: unknown) => {
        deliveries.requeue(seq);
        logger.error({ err, eventType, operationId }, 'A delivery was interrupted');
      })
      .finally(() => {
        this.inFlight.delete(seq);
        signals.sender.give();
        signals.rest.give();
      });
    this.inFlight.set(seq, ended);
  }

  private async deliver({ seq, attempts }: Delivery, webhook: WebhookRegistration): Promise<void> {
    const { store, deliveries } = this.services;
    const body = deliveries.bodyOf(seq);
    for (let attempt = attempts.length + 1; ; attempt += 1) {
      await store.synced();
      const answer = await this.post(webhook, body);
      const isDelivered = answer !== null && answer >= 200 && answer < 300;
      const isDead = !isDelivered && attempt >= MAX_ATTEMPTS;
      const state = isDelivered ? 'delivered' : isDead ? 'dead' : 'pending';
      const goesOn = state === 'pending' && !this.isStopping && deliveries.table.has(seq);
      store.unit(() => {
        deliveries.endAttempt(seq, answer, state);
        if (goesOn) deliveries.beginAttempt(seq);
      });
      if (!goesOn) return;
    }
  }

  private post(
    webhook: WebhookRegistration,
    body: Buffer,
    overlaid: Readonly<Record<string, string | null>> = {},
  ): Promise<number | null> {
    const { switches, timeoutMs } = this.services;
    const headers = new Map<string, string | null>(Object.entries(deliveryHeaders(webhook, switches.behaviour)));
    for (const [name, value] of Object.entries(overlaid)) headers.set(name.toLowerCase(), value);
    return postWebhook({
      url: webhook.url,
      headers: Object.fromEntries([...headers].flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
      body,
      timeoutMs,
      signal: this.cutOff.signal,
    });
  }
}
