import { schemaOfFields } from '../catalog/field-rules.ts';
import type { Core } from '../core/core.service.ts';
import { anyBody } from '../http/body.ts';
import { internal, notFound } from '../http/http-error.ts';
import { jsonText, route, type AnyRoute } from '../http/route.ts';
import { isJsonArray } from '../values/exact-json.ts';
import { PRODUCT_FIELDS, SKU_FIELDS } from './product-fields.ts';
import type { Products } from './products.service.ts';

const A_GUID = '11111111-1111-4111-8111-111111111111';

/** A whole product, which enters as it is. */
export const PRODUCT_EXAMPLE = {
  externalReference: '4711',
  commercialPolicyId: '6f1c0a4e-6f0e-4c3a-9b7e-0d5f4a1b2c3d',
  name: 'Queijo Minas Frescal',
  slug: 'queijo-minas-frescal',
  title: 'Queijo Minas Frescal',
  shortDescription: 'Frescal',
  longDescription: 'Queijo minas frescal, peça',
  punctuation: 10,
  skus: [
    {
      externalReference: '4711-1',
      name: 'Queijo Minas Frescal, por quilo',
      ean: '7891000100103',
      reference: '4711-1',
      unitOfMeasurement: 'Kg',
      arithmeticFactor: 0.1,
      weightForFreight: 1,
      heightForFreight: 10,
      widthForFreight: 12.5,
      lengthForFreight: 12.5,
      weightReal: 1,
      heightReal: 10,
      widthReal: 12.5,
      lengthReal: 12.5,
      arrivalDate: '2026-01-31',
      manufacturerCode: 'QMF-1',
    },
  ],
};

/** docs/platform.md, "Catalog". Any JSON is accepted; the schema shows what the core takes. */
export function productRoutes(products: Products, core: Core): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/v1/batch/Products',
      access: 'merchant',
      queues: 'answer shown',
      summary: 'Products with their SKUs; only keys that are present change',
      bodySchema: { type: 'array', items: productSchema() },
      example: [PRODUCT_EXAMPLE],
      answer: A_GUID,
      errors: { 500: 'The body is not JSON, or has more than 256 MiB; 400 and 413 never occur' },
      // A bare JSON text, whatever the items hold; invalid JSON is a 500, because 400 never occurs here.
      handle: ({ request, caller }) => {
        const body = anyBody(request);
        if (body === undefined) throw internal('The body is not JSON', 'NOT_JSON');
        const { operationId } = core.accept(caller, 'product', isJsonArray(body) ? body : []);
        return jsonText(JSON.stringify(operationId));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/batch/Products',
      access: 'merchant',
      summary: 'Obsolete: always fails, deletes nothing (docs/platform.md, "Versioning" 4)',
      status: 500,
      answer: { error: { code: 'OBSOLETE', message: 'This method is obsolete.' } },
      handle: () => {
        const message = 'Product deletion is now handled through ProductWithSKUs flow. This method is obsolete.';
        throw internal(message, 'OBSOLETE');
      },
    }),
    route({
      method: 'GET',
      path: '/v1/batch/Products/:externalReference',
      access: 'merchant',
      shows: 'product',
      summary: 'The read model of a product',
      parameters: { externalReference: 'Reference of the product' },
      answer: { externalReference: '4711', commercialPoliticId: A_GUID, skus: [] },
      errors: { 404: 'There is no such product' },
      handle: ({ params, caller }) => {
        const row = products.shown(caller, params['externalReference'] ?? '');
        if (row === undefined) throw notFound('PRODUCT_UNKNOWN', 'There is no product with this externalReference');
        return products.readModel(row);
      },
    }),
  ];
}

function productSchema(): object {
  const { properties, ...schema } = schemaOfFields(PRODUCT_FIELDS);
  const skus = { type: ['array', 'null'], items: schemaOfFields(SKU_FIELDS) };
  return { ...schema, properties: { ...properties, skus } };
}
