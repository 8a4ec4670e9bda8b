import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import type { EntityClass } from '@gondola/service-kit/database/repositories';

import { OrderErasureEntity } from './erased-orders/order-erasure.entity.ts';
import { LaneEntity } from './lanes/lane.entity.ts';
import { OldestOpenCommands1760000000004 } from './commands/oldest-open-commands.migration.ts';
import { UnfinishedByQueue1760000009701 } from './commands/unfinished-by-queue.migration.ts';
import { LetterStates1760000000003 } from './dead-letters/letter-states.migration.ts';
import { CreateBulkJobs1760000000002 } from './jobs/bulk-jobs.migration.ts';
import { PlatformPauses1760000009201 } from './pauses/platform-pauses.migration.ts';
import { ShadowCalls1760000009501 } from './shadow/shadow-calls.migration.ts';
import { ShadowPoints1760000009601 } from './modes/shadow-points.migration.ts';
import { StuckLanes1760000009301 } from './lanes/stuck-lanes.migration.ts';
import { RelayPlaces1760000009001 } from './outbox/relay-places.migration.ts';
import { RelayPlacesAge1760000009003 } from './outbox/relay-places-age.migration.ts';
import { CreateReplays1760000009401 } from './replays/replays.migration.ts';
import { CreateMessagingTables1760000000001 } from './create-tables.migration.ts';

/** Entities of `messagingMigrations`, for an app's `Database`, before its own. */
export const messagingEntities: readonly EntityClass[] = [LaneEntity, OrderErasureEntity];

/** Migrations of this package's tables, for an app's `Database`, before its own. */
export const messagingMigrations: readonly MigrationClass[] = [
  CreateMessagingTables1760000000001,
  CreateBulkJobs1760000000002,
  LetterStates1760000000003,
  OldestOpenCommands1760000000004,
  RelayPlaces1760000009001,
  RelayPlacesAge1760000009003,
  PlatformPauses1760000009201,
  StuckLanes1760000009301,
  CreateReplays1760000009401,
  ShadowCalls1760000009501,
  ShadowPoints1760000009601,
  UnfinishedByQueue1760000009701,
];
