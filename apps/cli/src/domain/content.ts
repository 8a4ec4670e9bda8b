import type { Block } from './report.ts';
import type { Say } from './texts/texts.ts';

/** Bytes for a person: as text where they are UTF-8, else as they came. */
export function contentBlocks(base64: string, say: Say): Block[] {
  const text = textOf(Buffer.from(base64, 'base64'));
  return text === null
    ? [
        { kind: 'line', text: say('contentBinary') },
        { kind: 'content', text: base64 },
      ]
    : [{ kind: 'content', text }];
}

function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}
