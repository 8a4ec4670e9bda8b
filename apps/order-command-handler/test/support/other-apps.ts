import { skuKey } from '@gondola/shared/topics/dedup-keys';
import { buildResult, type ResultParts } from '@gondola/shared/results/result';
import { buildSkuSnapshot, type SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';

/** Records as the other apps tell them. */

interface Message {
  readonly key: string;
  readonly value: string;
  readonly headers: Record<string, string>;
}

const NOTHING_KNOWN = {
  time: '2026-11-20T13:00:00Z',
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
  const key = skuKey(tenant, sku.skuExternalReference);
  return { key, value: JSON.stringify(snapshot), headers: { ce_tenant: tenant } };
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
  return { key: result.id, value: JSON.stringify(result), headers: { ce_id: result.id, ce_tenant: tenant } };
}
