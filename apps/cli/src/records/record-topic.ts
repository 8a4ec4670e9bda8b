import type { ErpTopic } from '@gondola/shared/records/check-record';
import { byValueTopic, VALUES } from '@gondola/shared/topics/values';
import type { FileRecord } from '@gondola/shared/records/csv';
import { fieldsIn } from '../catalog/pages.ts';

/** Words in a file's name that identify its topic. */
const WORDS: Readonly<Record<ErpTopic, readonly string[]>> = {
  'erp.catalog.products.v1': ['product', 'produto'],
  'erp.catalog.brands.v1': ['brand', 'marca'],
  'erp.catalog.categories.v1': ['categor'],
  ...byValueTopic((kind) => VALUES[kind].fileWords),
  'erp.orders.commands.v1': ['erp.orders'],
  'erp.files.commands.v1': ['erp.files'],
};

export const TOPIC_NAMES = Object.keys(WORDS) as readonly ErpTopic[];

/** Topic of a record: by the name of its file, else by its fields. */
export function topicOf(file: string, { text }: FileRecord): ErpTopic {
  const name = file.replace(/^.*[/\\]/, '').toLowerCase();
  return TOPIC_NAMES.find((topic) => WORDS[topic].some((word) => name.includes(word))) ?? topicOfFields(fieldsIn(text));
}

function topicOfFields(fields: object): ErpTopic {
  const has = (name: string) => Object.hasOwn(fields, name);
  if (has('command') || has('commandId')) return has('orderNumber') ? orderTopic(fields) : 'erp.files.commands.v1';
  if (has('data')) return has('warehouse') ? 'erp.catalog.stock.v1' : 'erp.catalog.prices.v1';
  if (has('children') || has('showInStoreFront')) return 'erp.catalog.categories.v1';
  return 'erp.catalog.products.v1';
}

/** One of the file commands also concerns an order. */
function orderTopic(fields: object): ErpTopic {
  return Reflect.get(fields, 'command') === 'ReadInvoice' ? 'erp.files.commands.v1' : 'erp.orders.commands.v1';
}
