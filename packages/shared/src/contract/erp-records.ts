import { BrandRecordDto } from '../catalog/brand-record.dto.ts';
import { CatalogControlDto } from '../catalog/catalog-control.dto.ts';
import { CategoryRecordDto } from '../catalog/category-record.dto.ts';
import { ProductRecordDto } from '../catalog/product-record.dto.ts';
import { ValueRecordDto } from '../catalog/value-record.dto.ts';
import type { FileCommandName } from '../files/file-command-content.ts';
import { FILE_COMMAND_DTOS } from '../files/file-command-dtos.ts';
import { ORDER_COMMAND_DTOS, type OrderCommandName } from '../orders/order-command-dtos.ts';
import { VALUE_KINDS, VALUES } from '../topics/values.ts';
import type { ContractRecord } from './contract-record.ts';
import type { Dto } from '../schemas/json-schema.ts';

/** Records that an ERP writes, and the commands that the order saga writes to the file gateway. */

const VALUE_OP = { op: { description: 'Absolute values are only set', enum: ['upsert', null] } };

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

const ORDER_COMMAND_TEXTS: Readonly<Record<OrderCommandName, string>> = {
  StartPreparation: 'The order is being prepared: sets status 400.',
  ReportPicking: 'What was picked, and what the order costs by it: the platform recalculates the order (1300).',
  RegisterInvoice: 'Registers the invoice, attaches its PDF if there is one, and sets status 350.',
  AttachInvoicePdf: 'Attaches the PDF of an invoice that is registered.',
  MarkReady: 'The order is ready for pick-up or delivery: sets status 500.',
  Ship: 'The order has left: sets status 600.',
  ConfirmDelivery: 'The order was delivered: sets status 700.',
  ReportDeliveryFailure: 'The delivery failed: sets status 900.',
  RegisterReturn: 'The order came back: sets status 1000.',
  CancelOrder: 'Cancels the order: 750 is the progress, 800 the end.',
  RefreshOrder: 'Reads the order anew; the result carries it in `data`.',
  ReleaseOrder: 'Creates an order whose payment notice never came.',
  WithdrawCommand: 'Takes back a command of the same order that was not sent yet.',
};

const FILE_COMMAND_TEXTS: Readonly<Record<FileCommandName, string>> = {
  PublishSkuImages: 'Uploads the images of a SKU in their order.',
  UndoImageUpload: 'Removes what an earlier `PublishSkuImages` uploaded.',
  ListFiles: 'Lists the files of something; the result carries them in `data`.',
  RemoveFiles: 'Removes files by URL or storage id.',
  RemoveAllFiles: 'Removes all files of something.',
  ReadInvoice: 'Reads the invoice file of an order; the result carries it in `data`.',
  CheckInvoicePdf: 'Asks whether a PDF can be attached. Written by order-command-handler for a command of the ERP.',
  UploadInvoicePdf: 'Uploads the PDF of an invoice. Written by order-command-handler for a command of the ERP.',
};

const OF_GONDOLA: readonly string[] = ['CheckInvoicePdf', 'UploadInvoicePdf'] satisfies FileCommandName[];

export const ERP_RECORDS: readonly ContractRecord[] = [
  ...CATALOG_RECORDS,
  ...Object.entries(ORDER_COMMAND_TEXTS).map(([name, about]) =>
    command(name, 'erp.orders.commands.v1', about, ORDER_COMMAND_DTOS[name as OrderCommandName]),
  ),
  ...Object.entries(FILE_COMMAND_TEXTS).map(([name, about]) =>
    command(name, 'erp.files.commands.v1', about, FILE_COMMAND_DTOS[name as FileCommandName]),
  ),
];

function command(name: string, topic: ContractRecord['topics'][number], about: string, dto: Dto): ContractRecord {
  const writer = OF_GONDOLA.includes(name) ? 'gondola' : 'erp';
  return { name, topics: [topic], writer, about, dtos: [dto], overrides: { command: { const: name } } };
}
