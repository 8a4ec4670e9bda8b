import { Database } from '@gondola/service-kit/database/database';
import { Inject, Injectable } from '@nestjs/common';
import { SANDBOX_SETTINGS, type SandboxSettings } from '../config.ts';
import { deliveryHeaders } from '../domain/webhooks/delivery-headers.ts';
import { postWebhook } from '../outbound/webhook-post.ts';
import { WebhookEntity } from '../outbound/webhook.entity.ts';
import { SwitchBoard } from './switch-board.ts';

export interface RawDelivery {
  readonly contractAccountId: string;
  /** Laid over the usual ones, in any case; null takes one away. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: Buffer;
}

export type RawDeliveryOutcome =
  | { readonly kind: 'sent'; readonly answer: number | null }
  | { readonly kind: 'no-webhook' };

/** Posts any bytes to a merchant's webhook, once. */
@Injectable()
export class SendRaw {
  constructor(
    private readonly database: Database,
    private readonly switches: SwitchBoard,
    @Inject(SANDBOX_SETTINGS) private readonly settings: SandboxSettings,
  ) {}

  async send({ contractAccountId, headers, body }: RawDelivery): Promise<RawDeliveryOutcome> {
    const webhook = await this.database.repository(WebhookEntity).findOneBy({ contractAccountId });
    if (webhook === null) return { kind: 'no-webhook' };
    const answer = await postWebhook({
      url: webhook.registration.url,
      headers: overlaid(deliveryHeaders(webhook.registration, this.switches.behaviour), headers),
      body,
      timeoutMs: this.settings.webhookTimeoutMs,
      signal: new AbortController().signal,
    });
    return { kind: 'sent', answer };
  }
}

function overlaid(usual: Record<string, string>, given: RawDelivery['headers']): Record<string, string> {
  const merged = new Map<string, string>(Object.entries(usual));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(merged);
}
