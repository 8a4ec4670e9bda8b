import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { Randomness } from '@gondola/service-kit/run/randomness';

import { BatchIntake } from '../intake/batch-intake.ts';
import { DeadLetters } from '../dead-letters/dead-letters.ts';
import type { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import type { MessagingOptions } from '@gondola/kafka/client/messaging-options';
import { OrderErasuresRepository } from '../erased-orders/order-erasures.repository.ts';
import { Outbox } from '../outbox/outbox.ts';

export interface TestIntakeOptions {
  readonly origin: Pick<MessagingOptions, 'app' | 'group' | 'topicPrefix' | 'tenants'>;
  readonly database: Database;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
}

export interface TestIntake {
  readonly outbox: Outbox;
  readonly deadLetters: DeadLetters;
  readonly intake: BatchIntake;
}

/** Intake and dead letters as in `MessagingModule`, without a relay. */
export function testIntake({ origin, database, metrics, logger }: TestIntakeOptions): TestIntake {
  const outbox = new Outbox(origin.app);
  const randomness = new Randomness();
  const erasures = new OrderErasuresRepository(database);
  const deadLetters = new DeadLetters(origin, database, outbox, erasures, { wake: () => {} }, metrics, randomness);
  const tenants = [{ id: 'acme', language: 'pt-BR' }] as const;
  return { outbox, deadLetters, intake: new BatchIntake(database, deadLetters, metrics, logger, randomness, tenants) };
}
