import type { JsonRecord } from '@gondola/shared/json/json-digits';
import {
  type JsonPath,
  pathsBelow,
  poisonedAt,
  POISONED_NAMES,
  POISONS,
  renamedAt,
} from '@gondola/shared/testing/poisoned-leaves';
import { wholeOrder } from '@gondola/shared/testing/whole-order';
import { ACME } from './ingest-bench.ts';

/** An error with all fields of the platform's document ("Error object"). */
const ERROR: JsonRecord = {
  statusCode: 422,
  message: '{"title":"Refused"}',
  title: 'Refused',
  detail: 'The core refused it',
  instance: '/v1/gateway/orders',
  traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  validationErrors: [{ id: 1, key: 'Name', validation: 'is missing' }],
};

const REPORT: JsonRecord = {
  product: { externalReference: 'product-1', name: 'Queijo', processed: true, error: null },
  skus: {
    total: 2,
    successful: 1,
    failed: 1,
    successfulSKUs: [{ externalReference: 'sku-1', error: null }],
    failedSKUs: [{ externalReference: 'sku-2', error: ERROR }],
  },
  summary: { status: 'PartialFailure', processedAt: '2026-11-20T13:15:00Z' },
};

const PARTS: readonly [relatedEntity: string, eventType: string, data: JsonRecord, error?: JsonRecord][] = [
  ['Order', 'Order_Updated', wholeOrder(100_234, 300, '2026-11-20T10:15:00')],
  ['Order', 'Order_StatusUpdateFailed', { number: 100_234, status: 300 }, ERROR],
  ['Order', 'Operation_Failed', { number: 100_234 }, ERROR],
  ['ProductWithSKUs', 'ProductWithSKUs_PartiallyFailed', REPORT],
  ['Brand', 'Brand_CreationFailed', { externalReference: 'brand-1', name: 'Marca' }, ERROR],
  ['Category', 'Operation_Failed', { externalReference: 'category-1' }, ERROR],
  ['Warehouse', 'Warehouse_Updated', { id: 'warehouse-1', name: 'Loja' }],
  ['WarehouseSKU', 'WarehouseSKU_Updated', { skuId: 'sku-1', stock: 7 }],
  ['SKUPricing', 'SKUPricing_Updated', { skuId: 'sku-1', commercialPolicyId: 'policy/1', price: 1.1 }],
  ['User', 'User_Updated', { email: 'cliente.teste01@example.com', firstName: 'Cliente', active: true }],
];

/** One notification of `acme` of each form that the platform's document shows, with this operation. */
export function wholeNotifications(operationId: string): JsonRecord[] {
  return PARTS.map(([relatedEntity, eventType, data, error]) => {
    const envelope = { operationId, contractAccountId: ACME, relatedEntity, eventType, data };
    return error === undefined ? envelope : { ...envelope, error };
  });
}

/** A notification with something unusual in one place. */
export interface Poisoned {
  readonly what: string;
  readonly ordinary: JsonRecord;
  readonly place: JsonPath;
  readonly text: string;
}

/** A notification with each poison in each place of it, and with each poisoned name. */
export function poisonedEverywhere(ordinary: JsonRecord): Poisoned[] {
  return pathsBelow(ordinary).flatMap((place) => {
    const where = `${JSON.stringify(ordinary['eventType'])} ${place.join('.')}`;
    const values = Object.entries(POISONS).map(([poison, json]): Poisoned => {
      return { what: `${where}: ${poison}`, ordinary, place, text: poisonedAt(ordinary, place, json) };
    });
    if (typeof place.at(-1) === 'number') return values;
    const names = Object.entries(POISONED_NAMES).map(([name, json]): Poisoned => {
      return { what: `${where}, named ${name}`, ordinary, place, text: renamedAt(ordinary, place, json) };
    });
    return [...values, ...names];
  });
}
