import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import type { EntityClass } from '@gondola/service-kit/database/repositories';
import { ActionEntity } from './actions/action.entity.ts';
import { CreateConsoleTables1764100000001 } from './create-tables.migration.ts';
import { SessionCredentials1764100000002 } from './session-credentials.migration.ts';
import { SessionEntity } from './sessions/session.entity.ts';
import { SignInLinkEntity } from './sign-in/sign-in-link.entity.ts';

/** All tables of the app. */
export const consoleEntities: readonly EntityClass[] = [SessionEntity, SignInLinkEntity, ActionEntity];

/** Listed in the order in which they run. */
export const consoleMigrations: readonly MigrationClass[] = [
  CreateConsoleTables1764100000001,
  SessionCredentials1764100000002,
];
