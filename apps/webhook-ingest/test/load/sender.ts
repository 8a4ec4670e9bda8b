import { type PlannedNotification, plannedNotifications } from './planned-notifications.ts';
import type { Replicas } from './replicas.ts';
import { seededRandom } from './seeded-random.ts';
import type { Outcome, SentLog } from './sent-log.ts';

export interface SenderOptions {
  readonly seed: string;
  readonly sender: number;
  readonly replicas: Replicas;
  readonly log: SentLog;
  /** True: all deliveries of a sender go to one replica; false: each goes to the next replica. */
  readonly isAtHome: boolean;
  /** True if an entity's order holds whichever replica takes its notifications. */
  readonly isOrderKept: boolean;
  readonly isOver: () => boolean;
}

/** docs/platform.md, "Delivery rules": three attempts without a pause, then never again. */
const ATTEMPTS = 3;
const NO_ANSWER_MS = 30_000;
const SHARE_OF_DUPLICATES = 0.2;
const SHARE_AT_ONCE = 0.1;
const REMEMBERED = 20;

/**
 * Delivers as the platform does, one notification after the other, until the round is over. A notification has up
 * to three attempts without a pause; occasionally all three although the first is answered 200, and occasionally
 * older ones again, shuffled.
 */
export async function runSender(options: SenderOptions): Promise<void> {
  const { seed, sender, replicas, log, isAtHome, isOrderKept, isOver } = options;
  const random = seededRandom(`${seed}/ways/${sender}`);
  const planned = plannedNotifications(seed, sender);
  const recent: PlannedNotification[] = [];
  let turn = sender;
  const target = (): number => (isAtHome ? sender : (turn += 1));
  const attempt = (notification: PlannedNotification) => deliverOnce(replicas.url(target()), notification, log);
  while (!isOver()) {
    await log.resting;
    const { value: notification } = planned.next();
    const isAnswered = random.chance(SHARE_AT_ONCE)
      ? (await Promise.all([1, 2, 3].map(async () => attempt(notification)))).includes(true)
      : await untilAnswered(() => attempt(notification));
    log.finished(notification, isAnswered, isAtHome || isOrderKept ? notification.series : null);
    if (isAnswered) recent.unshift(notification);
    // Waits until a killed replica is back; otherwise its senders would fail fast and run ahead of the others.
    else if (isAtHome) await replicas.ready(sender);
    recent.length = Math.min(recent.length, REMEMBERED);
    if (!random.chance(SHARE_OF_DUPLICATES)) continue;
    const again = random.shuffled(recent).slice(0, 1 + random.whole(3));
    await Promise.all(again.map(async (older) => attempt(older)));
  }
}

async function untilAnswered(attempt: () => Promise<boolean>): Promise<boolean> {
  for (let left = ATTEMPTS; left > 0; left -= 1) if (await attempt()) return true;
  return false;
}

/** True if it was answered 200. */
async function deliverOnce(url: string, notification: PlannedNotification, log: SentLog): Promise<boolean> {
  const outcome = await answerOf(url, notification);
  log.answered(outcome);
  return outcome === 200;
}

async function answerOf(url: string, { body, authorization }: PlannedNotification): Promise<Outcome> {
  try {
    const response = await fetch(`${url}/webhooks/platform`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body,
      signal: AbortSignal.timeout(NO_ANSWER_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'no-answer';
  }
}
