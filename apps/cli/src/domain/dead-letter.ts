import { type Entry, isEntry } from './api.ts';
import { fieldsOf } from './cells.ts';
import { contentBlocks } from './content.ts';
import type { Block } from './report.ts';
import type { Say } from './texts/texts.ts';

/**
 * A dead letter as it may be shown to anyone. Key, value and headers are the writer's, and any of them may be personal: of them only how
 * long they are, and the headers' names.
 */
export function withoutContent({ key, value, headers, ...summary }: Entry): Entry {
  return {
    ...summary,
    keyBytes: bytesOf(key),
    valueBytes: bytesOf(value),
    headers: headersOf(headers).map(({ name, value }) => ({ name, bytes: bytesOf(value) })),
  };
}

/** A dead letter for a person, its content only if that is wanted. */
export function letterBlocks(letter: Entry, body: boolean, say: Say): Block[] {
  if (!body) {
    const { headers, ...rest } = withoutContent(letter);
    const names = headersOf(headers).map(({ name }) => name);
    return [fieldsOf({ ...rest, headers: names })];
  }
  const { key, value, headers, ...summary } = letter;
  return [
    fieldsOf(summary),
    ...titled(
      say('headersTitle'),
      headersOf(headers).map(({ name, value }) => headerLine(name, value)),
    ),
    ...titled(say('keyTitle'), bytes(key, say)),
    ...titled(say('valueTitle'), bytes(value, say)),
  ];
}

function titled(title: string, blocks: Block[]): Block[] {
  return blocks.length === 0 ? [] : [{ kind: 'line', text: `${title}:` }, ...blocks];
}

function bytes(content: unknown, say: Say): Block[] {
  const base64 = base64Of(content);
  return base64 === null ? [{ kind: 'line', text: '-' }] : contentBlocks(base64, say);
}

function headerLine(name: string, content: unknown): Block {
  const text = isEntry(content) && typeof content['text'] === 'string' ? content['text'] : (base64Of(content) ?? '-');
  return { kind: 'line', text: `  ${name}: ${text}` };
}

function headersOf(headers: unknown): { name: string; value: unknown }[] {
  if (!Array.isArray(headers)) return [];
  return headers.filter(isEntry).map((header) => ({ name: String(header['name']), value: header['value'] }));
}

/** Null where the record had none, as a record without a key. */
function bytesOf(content: unknown): number | null {
  const base64 = base64Of(content);
  return base64 === null ? null : Buffer.from(base64, 'base64').length;
}

function base64Of(content: unknown): string | null {
  return isEntry(content) && typeof content['base64'] === 'string' ? content['base64'] : null;
}
