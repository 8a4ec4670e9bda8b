import { type Content, POLICIES, type SentRecord } from './sent-record.ts';

/** Value that a field of the shop should have, and the record that asked for it last. */
interface Wanted {
  readonly value: unknown;
  readonly by: SentRecord;
}

/** By identity as the platform sees it (`price p0-1 <policy>`), and field. */
export type Intent = ReadonlyMap<string, ReadonlyMap<string, Wanted>>;

const CONTROL = new Set(['externalReference', 'recordId', 'op', 'force', 'sourceVersion', 'children', 'skus']);
/** A field of each product that is sent whole. */
const WHOLE = 'title';

/**
 * State that the shop should have after records, in the order in which they came: of each identity and
 * field the newest value. An id that came before is a repeat, and says nothing.
 */
export function intentOf(records: readonly SentRecord[]): Intent {
  const fold = new Fold();
  const seen = new Set<string>();
  for (const record of records) {
    if (seen.has(record.id)) continue;
    seen.add(record.id);
    fold.take(record);
  }
  return fold.wanted;
}

class Fold {
  readonly wanted = new Map<string, Map<string, Wanted>>();
  /** Products that were deleted, and not asked for since. */
  readonly #deleted = new Set<string>();

  take(record: SentRecord): void {
    const { kind, reference } = record;
    const content = record.content ?? { op: 'delete' };
    const identity = `${kind} ${reference}`;
    switch (kind) {
      case 'brand':
        if (content['op'] === 'delete') this.wanted.set(identity, new Map([['exists', { value: false, by: record }]]));
        else this.#set(identity, { ...ownFields(content), exists: true }, record);
        return;
      case 'category':
        this.#shown(identity, 'showInStoreFront', ownFields(content), record, content['op']);
        for (const { externalReference, ...child } of (content['children'] ?? []) as Content[]) {
          const fields = { ...ownFields(child), parentExternalReference: reference };
          this.#shown(`category ${String(externalReference)}`, 'showInStoreFront', fields, record);
        }
        return;
      case 'product':
        this.#shown(identity, 'active', ownFields(content), record, content['op']);
        for (const { externalReference, ...sku } of (content['skus'] ?? []) as Content[])
          this.#set(`sku ${String(externalReference)}`, sku, record);
        return;
      case 'warehouse':
        return this.#set(identity, { name: dataOf(content)['name'] }, record);
      case 'price':
        return this.#set(`price ${reference} ${policyOf(content)}`, { price: dataOf(content)['price'] }, record);
      case 'stock': {
        const warehouse = dataOf(content)['warehouseId'] ?? content['warehouse'];
        return this.#set(`stock ${reference} ${String(warehouse)}`, { quantity: dataOf(content)['quantity'] }, record);
      }
    }
  }

  /** An entity is hidden until it is activated, a deleted product also until it is sent again whole. */
  #shown(identity: string, field: string, fields: Content, by: SentRecord, op?: unknown): void {
    const isNew = !this.wanted.has(identity);
    const isBack = this.#deleted.has(identity) && Object.hasOwn(fields, WHOLE);
    if (op === 'delete' && by.kind === 'product') this.#deleted.add(identity);
    else if (op === 'activate' || isBack) this.#deleted.delete(identity);
    const isHidden = op === 'delete' || op === 'deactivate';
    const says = isHidden || op === 'activate' || isNew || isBack;
    this.#set(identity, { ...(says && { [field]: !isHidden }), ...fields }, by);
  }

  #set(identity: string, fields: Content, by: SentRecord): void {
    const known = this.wanted.get(identity) ?? new Map<string, Wanted>();
    // A removed entity begins anew.
    if (known.get('exists')?.value === false) known.clear();
    for (const [field, value] of Object.entries(fields)) known.set(field, { value, by });
    this.wanted.set(identity, known);
  }
}

function ownFields(content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([key]) => !CONTROL.has(key)));
}

function dataOf(content: Content): Content {
  return content['data'] as Content;
}

function policyOf(content: Content): string {
  const named = String(dataOf(content)['commercialPolicyId'] ?? content['policy']);
  return POLICIES[named] ?? named;
}
