import { z } from 'zod';
import type { Catalog, CatalogEntry, CatalogShelf } from '../catalog/catalog.service.ts';
import { textOrNull } from '../catalog/field-rules.ts';
import type { Files } from '../files/files.service.ts';
import { badRequest, notFound, unknown } from '../http/http-error.ts';
import { MAX_ENTRIES, listQuery, pageOf } from '../http/page-of.ts';
import { route, type AnyRoute } from '../http/route.ts';
import type { Storefronts } from '../order-payload/storefronts.service.ts';
import { LOOSE_ENTITIES, isLooseEntity } from '../prices-and-stock/loose-record.ts';
import type { PricesAndStock } from '../prices-and-stock/prices-and-stock.service.ts';
import { shelfPrices, shelfStock } from '../prices-and-stock/shelf-price.ts';
import type { Sku } from '../products/product.ts';
import { productOf, type ProductRow, type Products } from '../products/products.service.ts';
import { hiddenBecause } from '../products/read-model.ts';
import type { Tenants } from '../tenants/tenants.service.ts';
import { keyOf, numberText, rawNumber, type JsonObject } from '../values/exact-json.ts';
import { isOf, shown } from './logs.routes.ts';

export interface ShopServices {
  readonly tenants: Tenants;
  readonly catalog: Catalog;
  readonly products: Products;
  readonly records: PricesAndStock;
  readonly files: Files;
  readonly storefronts: Storefronts;
  /** Null without an SFTP server. */
  readonly sftp: () => object | null;
}

const A_GUID = '11111111-1111-4111-8111-111111111111';
const NOT_FOUND = { 404: 'There is none' };
const OF_TENANT = z.object({
  contractAccountId: z.string().optional().describe('GUID of the merchant; optional if there is only one'),
});
const ProductsQuery = listQuery({
  q: z.string().optional().describe('A part of the name, title, reference or EAN'),
  visible: z.enum(['true', 'false']).optional(),
  brand: z.string().optional().describe('Reference of the brand'),
  category: z.string().optional().describe('Reference of the category'),
});
const NamesQuery = listQuery({ q: z.string().optional().describe('A part of the name or the reference') });

/** The shop's catalog; the platform has no route that reads most of it. */
export function shopRoutes(services: ShopServices): AnyRoute[] {
  const { tenants, catalog, products, records, storefronts } = services;
  const counts = (key: 'brandId' | 'categoryId'): ReadonlyMap<string | null, number> => {
    const found = new Map<string | null, number>();
    for (const row of products.table.values()) found.set(row[key], (found.get(row[key]) ?? 0) + 1);
    return found;
  };
  const named = (shelf: CatalogShelf, { contractAccountId, q = '' }: z.output<typeof NamesQuery>): CatalogEntry[] =>
    shelf
      .values()
      .filter((entry) => isOf(entry.contractAccountId, contractAccountId))
      .filter(({ externalReference, fields }) => has(q, externalReference, textOrNull(fields, 'name')));
  return [
    route({
      method: 'GET',
      path: '/admin/products',
      access: 'admin',
      summary: 'The shelf: products with prices, stock and pictures, and why one is not visible',
      query: ProductsQuery,
      answer: [SHELF_PRODUCT],
      handle: (call) => {
        const { query } = call;
        const { brand, category, q = '', visible } = query;
        const rows = [...products.table.values()].filter((row) => {
          if (!isOf(row.contractAccountId, query.contractAccountId)) return false;
          if (brand !== undefined && catalog.brands.byId(row.brandId)?.externalReference !== brand) return false;
          if (category !== undefined && catalog.categories.byId(row.categoryId)?.externalReference !== category)
            return false;
          if (q !== '' && !isNamed(row, q)) return false;
          return visible === undefined || (visible === 'true') === (hiddenBecause(productOf(row)) === null);
        });
        return shown(
          call,
          pageOf(rows, query, ({ seq }) => seq),
          (row) => shelfProduct(services, row),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/admin/products/:reference',
      access: 'admin',
      summary: 'A product as the storefront has it',
      query: OF_TENANT,
      answer: {
        externalReference: '4711',
        active: true,
        visible: true,
        hiddenBecause: null,
        readModel: {},
        images: [],
      },
      errors: { ...NOT_FOUND, 400: 'Several merchants have one by this reference' },
      handle: ({ params: { reference = '' }, query: { contractAccountId } }) => {
        const owners = tenants.all().filter((one) => isOf(one.contractAccountId, contractAccountId));
        const candidates = owners.flatMap((owner) => products.find(owner.contractAccountId, reference) ?? []);
        const [row] = candidates;
        if (row === undefined) throw unknown('product');
        if (candidates.length > 1) {
          throw badRequest('TENANT', 'Several tenants have it: contractAccountId must name one');
        }
        const model = products.readModel(row);
        const product = productOf(row);
        const hidden = hiddenBecause(product);
        const images = products.images(row.contractAccountId, product);
        return {
          externalReference: row.externalReference,
          active: model['active'] ?? null,
          visible: hidden === null,
          hiddenBecause: hidden,
          readModel: model,
          images: images.map((image) => ({
            sku: image.externalReference,
            order: image.displayOrder,
            url: storefronts.urlOf(image),
          })),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/admin/brands',
      access: 'admin',
      summary: 'All brands',
      query: NamesQuery,
      answer: [
        {
          seq: 1,
          contractAccountId: A_GUID,
          id: A_GUID,
          externalReference: 'queijaria',
          name: 'Queijaria',
          products: 3,
        },
      ],
      handle: (call) => {
        const ofBrand = counts('brandId');
        return shown(
          call,
          pageOf(named(catalog.brands, call.query), call.query, ({ seq }) => seq),
          (brand) => ({
            ...entryView(brand),
            products: ofBrand.get(brand.id) ?? 0,
          }),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/admin/brands/:reference',
      access: 'admin',
      summary: 'A brand as it was sent last, with the id of the core',
      query: OF_TENANT,
      answer: { externalReference: 'queijaria', name: 'Queijaria Teste', id: A_GUID },
      errors: NOT_FOUND,
      handle: ({ params: { reference }, query }) => {
        const brand = catalog.brands.find(tenants.chosen(query.contractAccountId).contractAccountId, reference);
        if (brand === undefined) throw unknown('brand');
        return { ...brand.fields, id: brand.id };
      },
    }),
    route({
      method: 'GET',
      path: '/admin/categories',
      access: 'admin',
      summary: 'All categories',
      query: NamesQuery,
      answer: [
        {
          seq: 1,
          contractAccountId: A_GUID,
          id: A_GUID,
          externalReference: 'frios',
          name: 'Frios',
          parentExternalReference: null,
          inMenu: true,
          products: 3,
        },
      ],
      handle: (call) => {
        const ofCategory = counts('categoryId');
        return shown(
          call,
          pageOf(named(catalog.categories, call.query), call.query, ({ seq }) => seq),
          (category) => ({
            ...entryView(category),
            parentExternalReference: catalog.categories.byId(category.parentId)?.externalReference ?? null,
            inMenu: catalog.isInMenu(category.id),
            products: ofCategory.get(category.id) ?? 0,
          }),
        );
      },
    }),
    route({
      method: 'GET',
      path: '/admin/categories/:reference',
      access: 'admin',
      summary: 'A category as it was sent last, and its place in the menu: shown if it and all its ancestors are',
      query: OF_TENANT,
      answer: {
        id: A_GUID,
        externalReference: 'frios',
        parentExternalReference: null,
        inMenu: true,
        children: ['queijos'],
      },
      errors: NOT_FOUND,
      handle: ({ params: { reference }, query }) => {
        const category = catalog.categories.find(tenants.chosen(query.contractAccountId).contractAccountId, reference);
        if (category === undefined) throw unknown('category');
        const children = catalog.categories.values().filter(({ parentId }) => parentId === category.id);
        return {
          ...category.fields,
          id: category.id,
          parentExternalReference: catalog.categories.byId(category.parentId)?.externalReference ?? null,
          inMenu: catalog.isInMenu(category.id),
          children: children.map(({ externalReference }) => externalReference).toSorted(),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/admin/records/:entity',
      access: 'admin',
      summary: 'Prices, warehouses or stock as they were sent last',
      parameters: { entity: ['Of the notifications', { enum: LOOSE_ENTITIES }] },
      query: OF_TENANT,
      answer: [{ id: 'cd-01' }, { skuId: '4711-1', stock: 40 }],
      errors: { 400: 'No such entity, or no such merchant' },
      handle: ({ params: { entity = '' }, query }) => {
        const { contractAccountId } = tenants.chosen(query.contractAccountId);
        if (!isLooseEntity(entity))
          throw badRequest('ENTITY', `The entity must be one of ${LOOSE_ENTITIES.join(', ')}`);
        return records.all(contractAccountId, entity).slice(0, MAX_ENTRIES);
      },
    }),
    route({
      method: 'GET',
      path: '/admin/sftp',
      access: 'admin',
      summary: 'Port, folder and host key of the SFTP drop',
      answer: {
        port: 8022,
        contractFolder: 'loja',
        hostKey: 'ecdsa-sha2-nistp256 AAAA…',
        hostKeyFingerprint: 'SHA256:…',
      },
      errors: { 404: 'There is no SFTP server: SFTP_USERNAME and SFTP_PASSWORD are not set' },
      handle: () => {
        const address = services.sftp();
        if (address === null) throw notFound('SFTP_OFF', 'SFTP_USERNAME and SFTP_PASSWORD are not set');
        return address;
      },
    }),
  ];
}

function shelfProduct({ catalog, products, records, storefronts }: ShopServices, row: ProductRow): JsonObject {
  const product = productOf(row);
  const { contractAccountId } = row;
  const hidden = hiddenBecause(product);
  const images = products.images(contractAccountId, product);
  const imageOf = (sku: Sku): string | null => {
    const image = images.find(({ entityId }) => entityId === sku.id);
    return image ? storefronts.urlOf(image) : null;
  };
  const skus = product.skus.map((sku) => {
    const names = [sku.id, sku.externalReference];
    const unitOfMeasure = textOrNull(sku.fields, 'unitOfMeasurement');
    const isWeighable = unitOfMeasure !== null && unitOfMeasure !== 'Un';
    const step = numberText(keyOf(sku.fields, 'arithmeticFactor'));
    return {
      externalReference: sku.externalReference,
      id: sku.id,
      name: textOrNull(sku.fields, 'name'),
      ean: textOrNull(sku.fields, 'ean'),
      unitOfMeasure,
      isWeighable,
      saleStep: isWeighable && Number(step) > 0 ? rawNumber(step ?? '1') : 1,
      ...shelfPrices(records.ofSku(contractAccountId, 'SKUPricing', names)),
      stock: shelfStock(records.ofSku(contractAccountId, 'WarehouseSKU', names)),
      imageUrl: imageOf(sku),
    };
  });
  return {
    seq: row.seq,
    contractAccountId,
    externalReference: row.externalReference,
    id: row.id,
    name: textOrNull(product.fields, 'name'),
    active: keyOf(product.fields, 'active') !== false,
    visible: hidden === null,
    hiddenBecause: hidden,
    brand: nameOf(catalog.brands.byId(row.brandId)),
    category: nameOf(catalog.categories.byId(row.categoryId)),
    imageUrl: images[0] ? storefronts.urlOf(images[0]) : null,
    skus,
  };
}

const SHELF_PRODUCT = {
  seq: 1,
  contractAccountId: A_GUID,
  externalReference: '4711',
  id: A_GUID,
  name: 'Queijo Minas Frescal',
  active: true,
  visible: true,
  hiddenBecause: null,
  brand: null,
  category: null,
  imageUrl: null,
  skus: [
    {
      externalReference: '4711-1',
      id: A_GUID,
      name: 'Queijo Minas Frescal, por quilo',
      ean: '7891000100103',
      unitOfMeasure: 'Kg',
      isWeighable: true,
      saleStep: 0.1,
      price: null,
      promotionalPrice: null,
      stock: null,
      imageUrl: null,
    },
  ],
};

function entryView({ seq, contractAccountId, id, externalReference, fields }: CatalogEntry): JsonObject {
  return { seq, contractAccountId, id, externalReference, name: textOrNull(fields, 'name') };
}

function nameOf(entry: CatalogEntry | undefined): JsonObject | null {
  return entry ? { externalReference: entry.externalReference, name: textOrNull(entry.fields, 'name') } : null;
}

/** The text is looked at first: reading every product would take seconds in a large shop. */
function isNamed(row: ProductRow, q: string): boolean {
  if (
    !row.externalReference.toLowerCase().includes(q.toLowerCase()) &&
    !row.text.toLowerCase().includes(q.toLowerCase())
  )
    return false;
  const { fields, skus } = productOf(row);
  const texts = [fields, ...skus.map((sku) => sku.fields)].flatMap((one) =>
    ['name', 'title', 'ean'].map((key) => textOrNull(one, key)),
  );
  return has(q, row.externalReference, ...row.skuReferences, ...texts);
}

function has(q: string, ...texts: readonly (string | null)[]): boolean {
  const wanted = q.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted) === true);
}
