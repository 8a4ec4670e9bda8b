import { entriesOf, type Entry, isEntry } from '../operations-api/operations-api.ts';
import { fieldsOf, contentBlocks } from '../output/blocks.ts';
import { type Block, line } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/**
 * Removes everything that may be personal: key, value and header values, which the writer chose. Lengths and header
 * names remain; an app without `body=true` answers no more than that either.
 */
export function withoutContent(letter: Entry): Entry {
  const shown = Object.entries(letter).filter(([name]) => name !== 'key' && name !== 'value');
  const headers = headersOf(letter['headers']).map(({ name, bytes }) => ({ name, bytes }));
  return { ...Object.fromEntries(shown), headers };
}

/** Formats a dead letter for a person; with `body`, including its content. */
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
      say({ pt: 'Cabeçalhos', en: 'Headers' }),
      headersOf(headers).map(({ name, value }) => headerLine(name, value)),
    ),
    ...titled(say({ pt: 'Chave', en: 'Key' }), contentLines(key, say)),
    ...titled(say({ pt: 'Valor', en: 'Value' }), contentLines(value, say)),
  ];
}

function titled(title: string, blocks: Block[]): Block[] {
  return blocks.length === 0 ? [] : [line(`${title}:`), ...blocks];
}

function contentLines(content: unknown, say: Say): Block[] {
  const base64 = base64Of(content);
  return base64 === null ? [line('-')] : contentBlocks(base64, say);
}

function headerLine(name: string, content: unknown): Block {
  const text = isEntry(content) && typeof content['text'] === 'string' ? content['text'] : (base64Of(content) ?? '-');
  return line(`  ${name}: ${text}`);
}

function headersOf(headers: unknown): { name: string; bytes: unknown; value: unknown }[] {
  return entriesOf(headers).map(({ name, bytes = null, value }) => ({ name: String(name), bytes, value }));
}

function base64Of(content: unknown): string | null {
  return isEntry(content) && typeof content['base64'] === 'string' ? content['base64'] : null;
}
