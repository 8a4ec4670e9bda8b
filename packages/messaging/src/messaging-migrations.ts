import type { MigrationClass } from '@gondola/service-kit/migrations';

import { CreateCommands1760000000002 } from './migrations/commands.migration.ts';
import { CreateDeadLetters1760000000004 } from './migrations/dead-letters.migration.ts';
import { CreateLanes1760000000001 } from './migrations/lanes.migration.ts';
import { CreateOutbox1760000000003 } from './migrations/outbox.migration.ts';

/** The migrations of this package's tables, for an app's `Database`, in front of its own. */
export const messagingMigrations: readonly MigrationClass[] = [
  CreateLanes1760000000001,
  CreateCommands1760000000002,
  CreateOutbox1760000000003,
  CreateDeadLetters1760000000004,
];
