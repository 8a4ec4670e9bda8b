import { UserErasureEntity } from './inbox/user-erasure.entity.ts';
import { NotificationEntity } from './inbox/notification.entity.ts';
import { QuarantineEntryEntity } from './quarantine/quarantine-entry.entity.ts';
import { RegistrationAttemptEntity } from './registration/registration-attempt.entity.ts';
import { ErasureEntity } from './retention/erasure.entity.ts';
import { CreateIngestTables1760000002001 } from './create-tables.migration.ts';

/** All tables of the app. */
export const ingestEntities = [
  NotificationEntity,
  QuarantineEntryEntity,
  ErasureEntity,
  RegistrationAttemptEntity,
  UserErasureEntity,
];

/** Listed in the order in which they run. */
export const ingestMigrations = [CreateIngestTables1760000002001];
