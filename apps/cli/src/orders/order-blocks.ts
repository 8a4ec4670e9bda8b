import { entriesOf, type Entry, isEntry } from '../operations-api/operations-api.ts';
import { cell, fieldsOf, tableOf } from '../output/blocks.ts';
import { type Block, line } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/** Formats an order with its items and its timeline for a person. */
export function orderBlocks(order: Entry, say: Say): Block[] {
  const { timeline, facts: _inTheTimeline, openCommands, values, ...rest } = order;
  const { items, ...plain } = isEntry(values) ? values : { items: [] };
  return [
    fieldsOf({ ...rest, ...plain }),
    ...titled(say({ pt: 'Itens', en: 'Items' }), itemsTable(entriesOf(items), say)),
    ...titled(say({ pt: 'Comandos em aberto', en: 'Open commands' }), openTable(entriesOf(openCommands), say)),
    ...titled(say({ pt: 'O que aconteceu', en: 'What happened' }), timelineBlock(timeline, say)),
  ];
}

/** Timeline of an order or of a command, oldest entry first; null if none is known. */
export function timelineBlock(timeline: unknown, say: Say): Block | null {
  const entries = entriesOf(timeline);
  if (entries.length === 0) return null;
  const columns = { at: 'colTime', kind: { pt: 'O QUÊ', en: 'WHAT' }, detail: 'colDetail' } as const;
  const rows = entries.map((entry) => ({ ...entry, detail: detailOf(entry) }));
  return tableOf(say, columns, rows, 'detail');
}

/** Formats status and attention for a table. */
export function withTexts(entry: Entry): Entry {
  const attention = entriesOf(entry['attention']).map(({ code, waitsFor }) => `${cell(code)}:${cell(waitsFor)}`);
  return { ...entry, statusText: statusOf(entry['status']), attentionText: attention.join(' ') };
}

/** Fields of an entry besides its time and kind, with the API's names, in one line. */
function detailOf({ at: _time, kind: _kind, ...rest }: Entry): string {
  return Object.entries(rest)
    .flatMap(([name, value]) => (value === null || value === false ? [] : [`${name}=${valueText(value)}`]))
    .join(' ');
}

function valueText(value: unknown): string {
  if (!isEntry(value)) return cell(value);
  if ('code' in value && 'name' in value) return statusOf(value);
  return Object.values(value)
    .filter((each) => each !== null)
    .map(cell)
    .join(':');
}

function statusOf(status: unknown): string {
  if (!isEntry(status)) return cell(status);
  const { code, name } = status;
  return name === null ? cell(code) : `${cell(code)} ${cell(name)}`;
}

function itemsTable(items: readonly Entry[], say: Say): Block | null {
  if (items.length === 0) return null;
  const columns = {
    line: 'colLine',
    skuExternalReference: 'colSku',
    name: { pt: 'NOME', en: 'NAME' },
    orderedQuantity: { pt: 'QUANTIDADE', en: 'QUANTITY' },
    unitOfMeasure: { pt: 'UNIDADE', en: 'UNIT' },
    net: { pt: 'LÍQUIDO', en: 'NET' },
  } as const;
  return tableOf(say, columns, items, 'name');
}

function openTable(commands: readonly Entry[], say: Say): Block | null {
  if (commands.length === 0) return null;
  const columns = {
    commandId: 'colId',
    command: 'colCommand',
    receivedAt: 'colReceived',
    attempts: 'colAttempts',
    waits: { pt: 'ESPERA', en: 'WAITS FOR' },
  } as const;
  const rows = commands.map((command) => ({ ...command, waits: valueText(command['waits']) }));
  return tableOf(say, columns, rows, 'waits');
}

function titled(title: string, block: Block | null): Block[] {
  return block === null ? [] : [line(''), line(`${title}:`), block];
}
