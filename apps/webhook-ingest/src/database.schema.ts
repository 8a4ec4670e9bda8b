import { CreateBulkJobs1760000000002 } from '@gondola/lanes/jobs/bulk-jobs.migration';
import { RelayPlaces1760000009001 } from '@gondola/lanes/outbox/relay-places.migration';
import { RelayPlacesAge1760000009003 } from '@gondola/lanes/outbox/relay-places-age.migration';
import { ShadowPoints1760000009601 } from '@gondola/lanes/modes/shadow-points.migration';
import { CompressBodies1760000009002 } from './inbox/compressed-bodies.migration.ts';
import { UserErasureEntity } from './inbox/user-erasure.entity.ts';
import { NotificationEntity } from './inbox/notification.entity.ts';
import { MirrorTables1760000009010 } from './mirror/mirror-tables.migration.ts';
import { QuarantineEntryEntity } from './quarantine/quarantine-entry.entity.ts';
import { RegistrationAttemptEntity } from './registration/registration-attempt.entity.ts';
import { DeliveryHours1760000002003 } from './webhook/delivery-hours.migration.ts';
import { ErasureEntity } from './retention/erasure.entity.ts';
import { CreateIngestTables1760000002001 } from './create-tables.migration.ts';
import { QuarantineCauses1760000002002 } from './quarantine/quarantine-causes.migration.ts';

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
  CreateIngestTables1760000002001,
  CreateBulkJobs1760000000002,
  QuarantineCauses1760000002002,
  DeliveryHours1760000002003,
  RelayPlaces1760000009001,
  CompressBodies1760000009002,
  RelayPlacesAge1760000009003,
  MirrorTables1760000009010,
  ShadowPoints1760000009601,
];
