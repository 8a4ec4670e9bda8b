import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import type { EntityClass } from '@gondola/service-kit/database/repositories';

import {
  AddCommandLoads1760000000010,
  AddCommandProducedAt1760000000006,
  AddCommandQueues1760000000005,
  CreateCommands1760000000002,
  NameAttemptsInProgress1760000000008,
} from './commands/commands.migration.ts';
import {
  CreateDeadLetters1760000000004,
  EraseDeadLetters1760000000009,
  NameOrdersOfDeadLetters1760000000011,
} from './dead-letters/dead-letters.migration.ts';
import { CreateOrderErasures1760000000007 } from './erased-orders/order-erasures.migration.ts';
import { OrderErasureEntity } from './erased-orders/order-erasure.entity.ts';
import { CreateLanes1760000000001 } from './lanes/lanes.migration.ts';
import { CreateOutbox1760000000003 } from './outbox/outbox.migration.ts';
import { CommandEntity } from './commands/command.entity.ts';
import { DeadLetterEntity } from './dead-letters/dead-letter.entity.ts';
import { LaneEntity } from './lanes/lane.entity.ts';
import { OutboxEntity } from './outbox/outbox.entity.ts';

/** Entities of `messagingMigrations`, for an app's `Database`, before its own. */
export const messagingEntities: readonly EntityClass[] = [
  LaneEntity,
  CommandEntity,
  OutboxEntity,
  DeadLetterEntity,
  OrderErasureEntity,
];

/** Migrations of this package's tables, for an app's `Database`, before its own. */
export const messagingMigrations: readonly MigrationClass[] = [
  CreateLanes1760000000001,
  CreateCommands1760000000002,
  CreateOutbox1760000000003,
  CreateDeadLetters1760000000004,
  AddCommandQueues1760000000005,
  AddCommandProducedAt1760000000006,
  CreateOrderErasures1760000000007,
  NameAttemptsInProgress1760000000008,
  EraseDeadLetters1760000000009,
  AddCommandLoads1760000000010,
  NameOrdersOfDeadLetters1760000000011,
];
