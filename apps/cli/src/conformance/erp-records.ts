import type { CheckedRecord, ErpTopic } from '@gondola/shared/records/check-record';
import { type Json, parsed } from './parsed.ts';
import { failed, HELD, type Verdict } from './check.ts';

/** A record that an ERP wrote. */
export interface ErpRecord {
  readonly topic: ErpTopic;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly value: Buffer | null;
  /** The partition is that of Java's murmur2 of the key. */
  readonly isAtHome: boolean;
}

/** Problem of a record, given those before it; null: none. */
type Rule = (record: ErpRecord, json: Json) => string | null;
export type WriterRule = readonly [pt: string, en: string, rule: Rule];

const SHOWN = 5;
const WITH_TOMBSTONES = ['erp.catalog.products.v1', 'erp.catalog.brands.v1', 'erp.catalog.categories.v1'];
const COMMANDS = 'erp.orders.commands.v1';

/** The verdict of a rule over all records of an ERP. */
export function judgeRecords(records: readonly ErpRecord[], rule: Rule, expected: string): Verdict {
  const problems = records.flatMap((record) => {
    const problem = rule(record, parsed(record.value?.toString()));
    return problem === null ? [] : [`${record.topic}/${record.partition}/${record.offset}: ${problem}`];
  });
  const rest = problems.length > SHOWN ? ` … (${problems.length})` : '';
  return problems.length === 0 ? HELD : failed(expected, problems.slice(0, SHOWN).join('; ') + rest);
}

/** @param orders numbers of the orders of this run, of which events were repeated */
export function writerRules(check: (record: ErpRecord) => CheckedRecord, orders: ReadonlySet<number>): WriterRule[] {
  const contents = new Map<string, string>();
  const steps = new Map<string, string>();
  const contract: Rule = (record) => {
    if (record.value === null) return WITH_TOMBSTONES.includes(record.topic) ? null : 'null';
    const { errors } = check(record);
    const texts = errors.map(({ code, message, hint = '' }) => `${code} ${message} ${hint}`.trim());
    return texts.length === 0 ? null : texts.join(' ');
  };
  const content: Rule = ({ topic, value }, { commandId, recordId = commandId }) => {
    const [id, found] = [`${topic} ${text(recordId)}`, String(value)];
    const before = contents.get(id) ?? found;
    contents.set(id, found);
    return recordId === undefined || before === found ? null : id;
  };
  const step: Rule = ({ topic }, { commandId, command, orderNumber }) => {
    if (topic !== COMMANDS || !orders.has(Number(orderNumber))) return null;
    const [name, id] = [`${text(orderNumber)} ${text(command)}`, text(commandId)];
    const before = steps.get(name) ?? id;
    steps.set(name, id);
    return before === id ? null : `${name}: ${before}, ${id}`;
  };
  return [
    ['cada registro segue o contrato', 'each record keeps to the contract', contract],
    ['a chave é a da entidade', 'the key is that of the entity', keyProblem],
    ['a partição é a do murmur2', 'the partition is that of murmur2', ({ isAtHome, key }) => (isAtHome ? null : key)],
    ['um id tem um só conteúdo', 'an id has one content', content],
    ['um repetido não causa outro comando', 'a repeat causes no other command', step],
  ];
}

function keyProblem({ topic, key }: ErpRecord, { orderNumber, externalReference }: Json): string | null {
  const entity = topic === COMMANDS ? orderNumber : externalReference;
  const isRight = entity === undefined || topic === 'erp.files.commands.v1' || text(entity) === key;
  return isRight ? null : `${key} ≠ ${text(entity)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
