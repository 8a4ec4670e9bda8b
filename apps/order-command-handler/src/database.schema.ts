import { messagingEntities, messagingMigrations } from '@gondola/lanes/messaging-tables';
import type { EntityClass } from '@gondola/service-kit/database/repositories';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { AuditEntity } from './audit/audit.entity.ts';
import { AuditedOrderEntity } from './audit/audited-order.entity.ts';
import { CreateAudits1760000009601 } from './audit/create-audits.migration.ts';
import { RecoveryCandidateEntity } from './recovery/recovery-candidate.entity.ts';
import { RecoveryRunEntity } from './recovery/recovery-run.entity.ts';
import { PublishedRecordEntity } from './orders/published-record.entity.ts';
import { OrderLists1760000001002 } from './orders/order-lists.migration.ts';
import { OrderEntity } from './orders/order.entity.ts';
import { PdfResultEntity } from './pdf-results/pdf-result.entity.ts';
import { FewestLooks1760000009101 } from './recovery/fewest-looks.migration.ts';
import { CreateOrderTables1760000001001 } from './create-tables.migration.ts';

/** All tables of the app. */
export const orderEntities: readonly EntityClass[] = [
  ...messagingEntities,
  OrderEntity,
  PdfResultEntity,
  PublishedRecordEntity,
  RecoveryRunEntity,
  RecoveryCandidateEntity,
  AuditEntity,
  AuditedOrderEntity,
];

/** In the order in which they run. */
export const orderMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateOrderTables1760000001001,
  OrderLists1760000001002,
  FewestLooks1760000009101,
  CreateAudits1760000009601,
];
