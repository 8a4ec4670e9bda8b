import { EraseUsers1760000002120 } from './migrations/erase-users-1760000002120.migration.ts';
import { RememberErasedUsers1760000002130 } from './migrations/remember-erased-users-1760000002130.migration.ts';
import { EraseWaitingUsers1760000002150 } from './migrations/erase-waiting-users-1760000002150.migration.ts';
import { FindByTenant1760000002160 } from './migrations/find-by-tenant-1760000002160.migration.ts';
import { FindErasedOrders1760000002140 } from './migrations/find-erased-orders-1760000002140.migration.ts';
import { UserErasureEntity } from './retention/user-erasure.entity.ts';
import { NotificationEntity } from './inbox/notification.entity.ts';
import { OperateNotifications1760000002101 } from './migrations/operate-notifications-1760000002101.migration.ts';
import { CreateNotifications1760000002001 } from './migrations/create-notifications-1760000002001.migration.ts';
import { QuarantineEntryEntity } from './quarantine/quarantine-entry.entity.ts';
import { RegistrationAttemptEntity } from './registration/registration-attempt.entity.ts';
import { ErasureEntity } from './retention/erasure.entity.ts';

/** All tables of the app. */
export const ingestEntities = [
  NotificationEntity,
  QuarantineEntryEntity,
  ErasureEntity,
  RegistrationAttemptEntity,
  UserErasureEntity,
];

/** Listed in the order in which they run. */
export const ingestMigrations = [
  CreateNotifications1760000002001,
  OperateNotifications1760000002101,
  EraseUsers1760000002120,
  RememberErasedUsers1760000002130,
  FindErasedOrders1760000002140,
  EraseWaitingUsers1760000002150,
  FindByTenant1760000002160,
];
