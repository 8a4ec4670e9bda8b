import { messagingEntities, messagingMigrations } from '@gondola/messaging/messaging-tables';
import type { EntityClass } from '@gondola/service-kit/database/repositories';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { DropCancelIndex1760000001006 } from './migrations/drop-cancel-index-1760000001006.migration.ts';
import { AddCancellationWatch1760000001005 } from './migrations/add-cancellation-watch-1760000001005.migration.ts';
import { CreatePdfResults1760000001004 } from './migrations/create-pdf-results-1760000001004.migration.ts';
import { CreateOrderFacts1760000001001 } from './migrations/create-order-facts-1760000001001.migration.ts';
import { CreateOrders1760000001002 } from './migrations/create-orders-1760000001002.migration.ts';
import { CreateSkus1760000001003 } from './migrations/create-skus-1760000001003.migration.ts';
import { AddStatusSince1760000001021 } from './migrations/add-status-since-1760000001021.migration.ts';
import { RedactOrderFacts1760000001022 } from './migrations/redact-order-facts-1760000001022.migration.ts';
import { CreatePublishedRecords1760000001020 } from './migrations/create-published-records-1760000001020.migration.ts';
import { AddAwaitedSkus1760000001034 } from './migrations/add-awaited-skus-1760000001034.migration.ts';
import { AddReleasesAndAttention1760000001031 } from './migrations/add-releases-and-attention-1760000001031.migration.ts';
import { AddFoldedFacts1760000001033 } from './migrations/add-folded-facts-1760000001033.migration.ts';
import { AddOpenSteps1760000001032 } from './migrations/add-open-steps-1760000001032.migration.ts';
import { CreateRecovery1760000001010 } from './migrations/create-recovery-1760000001010.migration.ts';
import { NamePublishedState1760000001040 } from './migrations/name-published-state-1760000001040.migration.ts';
import { AddPastOperations1760000001042 } from './migrations/add-past-operations-1760000001042.migration.ts';
import { AddRecoveryAhead1760000001041 } from './migrations/add-recovery-ahead-1760000001041.migration.ts';
import { WatchOpenOrders1760000001043 } from './migrations/watch-open-orders-1760000001043.migration.ts';
import { DatePdfResults1760000001045 } from './migrations/date-pdf-results-1760000001045.migration.ts';
import { FindAwaitingOrders1760000001044 } from './migrations/find-awaiting-orders-1760000001044.migration.ts';
import { FindDoubtedOrders1760000001046 } from './migrations/find-doubted-orders-1760000001046.migration.ts';
import { SearchAwaitingOrders1760000001047 } from './migrations/search-awaiting-orders-1760000001047.migration.ts';
import { RecoveryCandidateEntity } from './recovery/recovery-candidate.entity.ts';
import { RecoveryPaceEntity } from './recovery/recovery-pace.entity.ts';
import { RecoveryRunEntity } from './recovery/recovery-run.entity.ts';
import { PublishedRecordEntity } from './history/published-record.entity.ts';
import { OrderFactEntity } from './notifications/order-fact.entity.ts';
import { OrderEntity } from './orders/order.entity.ts';
import { PdfResultEntity } from './invoices/pdf-result.entity.ts';
import { ArrivedSkuEntity } from './skus/arrived-sku.entity.ts';
import { SkuEntity } from './skus/sku.entity.ts';

/** All tables of the app. */
export const orderEntities: readonly EntityClass[] = [
  ...messagingEntities,
  OrderFactEntity,
  OrderEntity,
  SkuEntity,
  ArrivedSkuEntity,
  PdfResultEntity,
  PublishedRecordEntity,
  RecoveryRunEntity,
  RecoveryCandidateEntity,
  RecoveryPaceEntity,
];

/** In the order in which they run. */
export const orderMigrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  CreateOrderFacts1760000001001,
  CreateOrders1760000001002,
  CreateSkus1760000001003,
  CreatePdfResults1760000001004,
  AddCancellationWatch1760000001005,
  DropCancelIndex1760000001006,
  CreateRecovery1760000001010,
  CreatePublishedRecords1760000001020,
  AddStatusSince1760000001021,
  RedactOrderFacts1760000001022,
  AddReleasesAndAttention1760000001031,
  AddOpenSteps1760000001032,
  AddFoldedFacts1760000001033,
  AddAwaitedSkus1760000001034,
  NamePublishedState1760000001040,
  AddRecoveryAhead1760000001041,
  AddPastOperations1760000001042,
  WatchOpenOrders1760000001043,
  FindAwaitingOrders1760000001044,
  DatePdfResults1760000001045,
  FindDoubtedOrders1760000001046,
  SearchAwaitingOrders1760000001047,
];
