import type { MigrationClass } from '@gondola/service-kit/database/migrations';

import { AddCommandQueues1760000000005 } from './commands/command-queues.migration.ts';
import { CreateCommands1760000000002 } from './commands/commands.migration.ts';
import { CreateDeadLetters1760000000004 } from './dead-letters/dead-letters.migration.ts';
import { CreateLanes1760000000001 } from './lanes/lanes.migration.ts';
import { CreateOutbox1760000000003 } from './outbox/outbox.migration.ts';

/** The migrations of this package's tables, for an app's `Database`, in front of its own. */
export const messagingMigrations: readonly MigrationClass[] = [
  CreateLanes1760000000001,
  CreateCommands1760000000002,
  CreateOutbox1760000000003,
  CreateDeadLetters1760000000004,
  AddCommandQueues1760000000005,
];
