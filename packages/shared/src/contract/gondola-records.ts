import { NotificationDto } from '../topics/notification.dto.ts';
import { OrderEventDto } from '../orders/order-event.dto.ts';
import { ResultDto } from '../results/result.dto.ts';
import { SkuSnapshotDto } from '../catalog/sku-snapshot.dto.ts';
import type { ContractRecord } from './contract-record.ts';

/** Records that Gondola publishes. A dead letter has the value of its original, and therefore no schema. */
export const GONDOLA_RECORDS: readonly ContractRecord[] = [
  {
    name: 'result',
    topics: ['erp.catalog.results.v1', 'erp.orders.results.v1', 'erp.files.results.v1'],
    writer: 'gondola',
    about: 'Result of a catalog record or a command.',
    dtos: [ResultDto],
  },
  {
    name: 'order-event',
    topics: ['erp.orders.events.v1'],
    writer: 'gondola',
    about: 'An order changed; the event carries the whole order.',
    dtos: [OrderEventDto],
  },
  {
    name: 'sku',
    topics: ['catalog.skus.v1'],
    writer: 'gondola',
    about: 'Known data of a SKU; the record of a deleted SKU is a tombstone.',
    dtos: [SkuSnapshotDto],
  },
  {
    name: 'notification',
    topics: [
      'platform.notifications.catalog.v1',
      'platform.notifications.orders.v1',
      'platform.notifications.users.v1',
    ],
    writer: 'platform',
    about: 'A notification of the platform, exactly as received.',
    dtos: [NotificationDto],
  },
];
