import { resultRecord } from '@gondola/messaging/codec/result-record';
import { skuRecord, skuTombstone } from '@gondola/messaging/codec/sku-record';
import { wireMessage } from '@gondola/messaging/testing/wire-message';
import { buildSkuSnapshot, type SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { buildResult, type ResultParts } from '@gondola/shared/results/result';
import type { Message } from 'kafkajs';

/** Records as the other apps publish them. */

const TIME = '2026-11-20T13:00:00Z';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
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

/** A SKU of the catalog. */
export function skuMessage(
  tenant: string,
  sku: Partial<SkuSnapshot> & Pick<SkuSnapshot, 'skuExternalReference'>,
): Message {
  const snapshot = buildSkuSnapshot({ ...NOTHING_KNOWN, tenant, version: 1, ...sku });
  return wireMessage(skuRecord(snapshot, { traceparent: TRACEPARENT }), 'catalog-publisher');
}

/** A SKU that the catalog has no more. */
export function goneSkuMessage(tenant: string, skuExternalReference: string): Message {
  const gone = { tenant, skuExternalReference, version: 2, time: TIME };
  return wireMessage(skuTombstone(gone, { traceparent: TRACEPARENT }), 'catalog-publisher');
}

/** What the file gateway says of the PDF that a command asked for; of the check of it where `command` says so. */
export function pdfResultMessage(
  tenant: string,
  parentCommandId: string,
  more: Pick<ResultParts, 'outcome'> & Partial<ResultParts>,
): Message {
  const time = new Date().toISOString();
  const result = buildResult({
    tenant,
    inputTopic: 'erp.files.commands.v1',
    commandId: `${parentCommandId}/pdf`,
    parentCommandId,
    command: 'UploadInvoicePdf',
    entity: null,
    time,
    receivedAt: time,
    evidence: 'read-back',
    ...more,
  });
  return wireMessage(resultRecord('erp.files.results.v1', result, TRACEPARENT), 'file-gateway');
}
