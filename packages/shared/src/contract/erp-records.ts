import { BrandRecordDto } from '../catalog/brand-record.dto.ts';
import { CatalogControlDto } from '../catalog/catalog-control.dto.ts';
import { CategoryRecordDto } from '../catalog/category-record.dto.ts';
import { ProductRecordDto } from '../catalog/product-record.dto.ts';
import { ValueRecordDto } from '../catalog/value-record.dto.ts';
import { FILE_COMMANDS } from '../files/file-commands.dto.ts';
import { ORDER_COMMANDS } from '../orders/order-commands.dto.ts';
import { VALUE_KINDS, VALUES } from '../topics/values.ts';
import type { ContractRecord } from './contract-record.ts';
import type { Dto } from '../schemas/json-schema.ts';

/** Records that an ERP writes, and the commands that the order saga writes to the file gateway. */

const VALUE_OP = {
  op: { description: 'Absolute values are only set', type: ['string', 'null'], enum: ['upsert', null] },
};

const CATALOG_RECORDS: readonly ContractRecord[] = [
  {
    name: 'brand',
    topics: ['erp.catalog.brands.v1'],
    writer: 'erp',
    about: 'A brand: absent fields keep their last value.',
    dtos: [BrandRecordDto, CatalogControlDto],
    hasCreateSchema: true,
  },
  {
    name: 'category',
    topics: ['erp.catalog.categories.v1'],
    writer: 'erp',
    about: 'A category, or a whole tree of categories: absent fields keep their last value.',
    dtos: [CategoryRecordDto, CatalogControlDto],
  },
  {
    name: 'product',
    topics: ['erp.catalog.products.v1'],
    writer: 'erp',
    about: 'A product with its SKUs: absent fields stay unchanged, null is sent as null.',
    dtos: [ProductRecordDto, CatalogControlDto],
    hasCreateSchema: true,
  },
  ...VALUE_KINDS.map((name): ContractRecord => {
    const { topic, about } = VALUES[name];
    const dtos = [ValueRecordDto, CatalogControlDto];
    return { name, topics: [topic], writer: 'erp', about, dtos, overrides: VALUE_OP };
  }),
];

export const ERP_RECORDS: readonly ContractRecord[] = [
  ...CATALOG_RECORDS,
  ...Object.entries(ORDER_COMMANDS).map(([name, spec]) => command(name, 'erp.orders.commands.v1', spec)),
  ...Object.entries(FILE_COMMANDS).map(([name, spec]) => command(name, 'erp.files.commands.v1', spec)),
];

interface CommandSpec {
  readonly dto: Dto;
  readonly about: string;
  readonly writer?: 'gondola';
}

function command(name: string, topic: ContractRecord['topics'][number], spec: CommandSpec): ContractRecord {
  const { dto, about, writer = 'erp' } = spec;
  return { name, topics: [topic], writer, about, dtos: [dto], overrides: { command: { type: 'string', const: name } } };
}
