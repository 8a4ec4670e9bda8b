import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_WIRE_PROFILE, type WireProfile, wireProfileSchema } from './wire-profile.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/wire-profile.md', import.meta.url), 'utf8');

describe('the wire profile', () => {
  it('has the documented defaults', () => {
    expect(wireProfileSchema.parse({})).toEqual({
      patchStatusBody: { status: '<NAME>' },
      orderStatusPaths: ['status', 'code', 'data.status'],
      webhookPayloadPath: '/v1/Orders/{orderNumber}/webhook-payload?version=2',
      registrationPath: 'orderInvoiced',
      registrationNumberPaths: ['number'],
      registrationDatePaths: ['issuanceDate'],
      registrationValuePaths: ['value'],
      invoiceFilePath: 'invoiceUrl',
      finalPricePaths: ['acceptedOrderDetails.total', 'subtotal.total'],
      pickingBody: { finalOrderPrice: '<FINAL_PRICE>', items: '<ITEMS>' },
      pickingItem: {
        skuExternalReference: '<SKU>',
        quantity: '<QUANTITY>',
        unitOfMeasure: '<UNIT>',
        price: '<PRICE>',
        total: '<TOTAL>',
      },
      cancelBody: { reason: '<REASON>' },
      invoiceAbsentAnswers: [null, '', [], {}],
      invoiceUrlPaths: ['url', 'data.url'],
      sftpFolder: '/{contractFolder}/{contractAccountId}/SKUs/Integracao',
      sftpFileName: '{sku}_{order}.{extension}',
      linkedNamesField: 'fileNames',
      pricingPath: '/v1/batch/Pricing',
      warehousesPath: '/v1/batch/Warehouses',
      stockPath: '/v1/batch/Warehouses/sku',
      pricingFields: { skuId: '<SKU_ID>', commercialPolicyId: '<POLICY>' },
      warehouseFields: {},
      stockFields: { skuId: '<SKU_ID>', warehouseId: '<WAREHOUSE>' },
      moreEventTypes: [],
    });
  });

  it('takes one override and keeps the other defaults', () => {
    const profile = wireProfileSchema.parse({ patchStatusBody: '<NAME>' });
    expect(profile).toEqual({ ...DEFAULT_WIRE_PROFILE, patchStatusBody: '<NAME>' });
  });

  it.each<[string, object]>([
    ['an unknown key', { patchStatus: {} }],
    ['a status body that does not name the status', { patchStatusBody: { status: 'NAME' } }],
    ['a placeholder that is only a key', { patchStatusBody: { '<NAME>': 1 } }],
    ['a path of fields with an empty name', { orderStatusPaths: ['data..status'] }],
    ['no path at all to the final price', { finalPricePaths: [] }],
    ['a picking body without its items', { pickingBody: { finalOrderPrice: '<FINAL_PRICE>' } }],
    ['a picked item that names no SKU', { pickingItem: { quantity: '<QUANTITY>' } }],
    ['a cancel body without the reason', { cancelBody: {} }],
    ['an event name that is none', { moreEventTypes: ['Brand Created'] }],
    ['a payload path without the order', { webhookPayloadPath: '/v1/payload' }],
    ['a payload path that names another host', { webhookPayloadPath: '//example.com/{orderNumber}' }],
    ['a folder of the drop that is not absolute', { sftpFolder: 'SKUs/Integracao' }],
    ['a folder of the drop that leads out of it', { sftpFolder: '/{contractFolder}/../SKUs' }],
    ['an image name without its SKU', { sftpFileName: '{order}.{extension}' }],
    ['an image name in another folder', { sftpFileName: '{sku}/{order}' }],
    ['an image name with an unknown placeholder', { sftpFileName: '{sku}_{order}_{ean}' }],
    ['an image name whose order runs into its SKU', { sftpFileName: '{sku}{order}.{extension}' }],
    ['an image name whose order runs into a digit', { sftpFileName: '{sku}_0{order}' }],
    ['a path of prices that is none', { pricingPath: 'Pricing' }],
    ['fields of prices that are a list', { pricingFields: ['skuId'] }],
    ['an address instead of a path', { webhookPayloadPath: 'https://example.com/{orderNumber}' }],
    ['a path that would break the request line', { webhookPayloadPath: '/v1/{orderNumber} HTTP/1.1\r\nx: y' }],
  ])('refuses %s', (_, overrides) => {
    expect(wireProfileSchema.safeParse(overrides).success).toBe(false);
  });
});

describe('docs/wire-profile.md', () => {
  it('holds exactly the keys of the schema, with their defaults and meanings', () => {
    const rows = DOCUMENT.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toEqual(
      Object.entries(wireProfileSchema.shape).map(([key, schema]) => {
        const byDefault = JSON.stringify(DEFAULT_WIRE_PROFILE[key as keyof WireProfile]);
        return `| \`${key}\` | \`${byDefault}\` | ${schema.description} |`;
      }),
    );
  });
});
