import { buildSkuSnapshot, type SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { Message } from 'kafkajs';

import { skuRecord, skuTombstone } from '../records/sku-record.ts';
import { wireMessage } from './wire-message.ts';

const TIME = '2026-11-20T13:00:00Z';
const CAUSE = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const NOTHING_KNOWN = {
  time: TIME,
  productExternalReference: 'p',
  skuId: null,
  productId: null,
  name: null,
  ean: null,
  reference: null,
  unitOfMeasurement: null,
  arithmeticFactor: null,
  active: true,
};

/** Record of a SKU on the platform, as catalog-publisher publishes it. */
export function skuMessage(
  tenant: string,
  sku: Partial<SkuSnapshot> & Pick<SkuSnapshot, 'skuExternalReference'>,
): Message {
  const snapshot = buildSkuSnapshot({ ...NOTHING_KNOWN, tenant, version: 1, ...sku });
  return wireMessage(skuRecord(snapshot, CAUSE), 'catalog-publisher');
}

/** Tombstone of a SKU that is no longer on the platform. */
export function goneSkuMessage(tenant: string, skuExternalReference: string): Message {
  const gone = { tenant, skuExternalReference, version: 2, time: TIME };
  return wireMessage(skuTombstone(gone, CAUSE), 'catalog-publisher');
}
