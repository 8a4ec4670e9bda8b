import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import type { SandboxConfig } from '../config.ts';
import { Signals, atMost } from '../runtime/signals.service.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { SwitchEntity } from '../switches/switch.entity.ts';
import { AttemptEnds } from './attempt-ends.service.ts';
import { DeliveriesRepository, type BegunDelivery } from './deliveries.repository.ts';
import { deliveryHeaders } from './registration.ts';
import { postWebhook } from './webhook-post.adapter.ts';
import { WebhookEntity } from './webhook.entity.ts';

const MAX_ATTEMPTS = 3;
/** Every new delivery gives a signal and later due times are known; this interval is only a safety net. */
const LOOK_AGAIN_MS = 120_000;
const AFTER_FAILURE_MS = 200;
/** Time for a running attempt to finish before a stop aborts it. */
const STOP_GRACE_MS = 3_000;

/**
 * Delivers notifications: up to three attempts with the same bytes and without a pause. Any 2xx is final; after the
 * last attempt the notification is a dead letter. Different notifications are sent in parallel, in no promised
 * order. docs/platform.md, "Delivery rules". Tested in test/webhook-delivery.e2e.spec.ts.
 */
@Injectable()
export class WebhookSender implements Startable {
  readonly name = 'webhook-sender';
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly ends: AttemptEnds;
  private launching: Promise<unknown> = Promise.resolve();
  private readonly cutOff = new AbortController();
  private running: Promise<void> | undefined;
  /** True if more deliveries may be due than there is room for. */
  private isFull = false;
  private paused = false;
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly switches: SwitchBoard,
    private readonly signals: Signals,
    @Inject(CONFIG) private readonly config: SandboxConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.ends = new AttemptEnds(deliveries);
  }

  async start(): Promise<void> {
    await this.deliveries.endForgottenAttempts();
    const paused = { name: 'sender-paused', value: 'on' } as const;
    this.paused = await this.database.repository(SwitchEntity).existsBy(paused);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.signals.sender.give();
    const graceEnd = setTimeout(() => this.cutOff.abort(), STOP_GRACE_MS);
    await this.running;
    await Promise.all(this.inFlight.values());
    clearTimeout(graceEnd);
  }

  /** A paused sender begins no delivery, also after a restart. Resolves once running attempts are finished. */
  async setPaused(paused: boolean): Promise<void> {
    const state = { name: 'sender-paused', value: paused ? 'on' : 'off' } as const;
    await this.database.repository(SwitchEntity).upsert(state, ['name']);
    this.paused = paused;
    this.signals.sender.give();
    if (!paused) return;
    // Deliveries that were begun are still sent.
    await this.launching;
    await Promise.all(this.inFlight.values());
  }

  /**
   * Posts any bytes to a merchant's webhook, once. `headers` replace the usual ones, regardless of case; null
   * removes one. Returns the status of the answer, null without an answer, undefined without a webhook.
   */
  async sendRaw(
    { contractAccountId }: { readonly contractAccountId: string },
    headers: Readonly<Record<string, string | null>>,
    body: Buffer,
  ): Promise<number | null | undefined> {
    const webhook = await this.database.repository(WebhookEntity).findOneBy({ contractAccountId });
    return webhook === null ? undefined : this.post({ webhook: webhook.registration, body }, headers);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const wake = this.signals.sender.next();
        const launching = this.launchDue();
        this.launching = launching.catch(() => {});
        const waitMs = await launching;
        this.signalRest();
        if (!this.stopping) await atMost(waitMs, wake);
      } catch (err) {
        this.logger.error({ err }, 'The webhook sender could not read its queue');
        await delay(AFTER_FAILURE_MS);
      }
    }
  }

  /** Begins due deliveries while there is room. Returns the milliseconds until the next look. */
  private async launchDue(): Promise<number> {
    while (!this.paused) {
      const room = this.config.settings.webhookConcurrency - this.inFlight.size;
      this.isFull = room <= 0;
      if (this.isFull) break;
      const except = [...this.inFlight.keys()];
      const { begun, isAll, nextDueInMs } = await this.deliveries.begin(room, except, MAX_ATTEMPTS);
      for (const delivery of begun) this.launch(delivery);
      if (isAll) return Math.min(LOOK_AGAIN_MS, nextDueInMs ?? LOOK_AGAIN_MS);
    }
    return LOOK_AGAIN_MS;
  }

  private launch(delivery: BegunDelivery): void {
    const { id, eventType, operationId } = delivery;
    let isInterrupted = false;
    const ended = this.deliver(delivery)
      .catch(async (err: unknown) => {
        isInterrupted = true;
        this.logger.error({ err, eventType, operationId }, 'A delivery was interrupted and is continued later');
        await delay(AFTER_FAILURE_MS);
      })
      .finally(() => {
        this.inFlight.delete(id);
        // If there was room, all due deliveries have begun already.
        if (this.isFull || isInterrupted) this.signals.sender.give();
        this.signalRest();
      });
    this.inFlight.set(id, ended);
  }

  private signalRest(): void {
    if (this.inFlight.size === 0) this.signals.rest.give();
  }

  private async deliver(delivery: BegunDelivery): Promise<void> {
    const { id } = delivery;
    for (let { attempt } = delivery; ; attempt += 1) {
      const answer = await this.post(delivery);
      const delivered = answer !== null && answer >= 200 && answer < 300;
      const failedForGood = !delivered && attempt === MAX_ATTEMPTS;
      const state = delivered ? 'delivered' : failedForGood ? 'dead' : 'pending';
      const goesOn = state === 'pending' && !this.stopping;
      const isThere = await this.ends.write({ id, attempt, answer, state, goesOn });
      if (!goesOn || !isThere) return;
    }
  }

  private post(
    { webhook, body }: Pick<BegunDelivery, 'webhook' | 'body'>,
    overlaid: Readonly<Record<string, string | null>> = {},
  ): Promise<number | null> {
    const headers = new Map<string, string | null>(Object.entries(deliveryHeaders(webhook, this.switches.behaviour)));
    for (const [name, value] of Object.entries(overlaid)) headers.set(name.toLowerCase(), value);
    return postWebhook({
      url: webhook.url,
      headers: Object.fromEntries([...headers].flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
      body,
      timeoutMs: this.config.settings.webhookTimeoutMs,
      signal: this.cutOff.signal,
    });
  }
}
