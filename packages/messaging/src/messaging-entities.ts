import type { EntityClass } from '@gondola/service-kit/database/entity-class';

import { CommandEntity } from './commands/command.entity.ts';
import { DeadLetterEntity } from './dead-letters/dead-letter.entity.ts';
import { LaneEntity } from './lanes/lane.entity.ts';
import { OutboxEntity } from './outbox/outbox.entity.ts';

/** The tables of `messagingMigrations`, for an app's `Database`, in front of its own. */
export const messagingEntities: readonly EntityClass[] = [LaneEntity, CommandEntity, OutboxEntity, DeadLetterEntity];
