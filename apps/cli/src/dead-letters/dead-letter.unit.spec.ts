import { describe, expect, it } from '@jest/globals';
import { letterBlocks, withoutContent } from './dead-letter.ts';
import { EXIT } from '../output/report.ts';
import { print } from '../output/print.ts';
import { sayIn } from '../texts/texts.ts';

const content = (bytes: Buffer) => ({ base64: bytes.toString('base64'), text: bytes.toString('utf8') });
const LETTER = {
  id: 'gondola.file-gateway/erp.files.commands.v1/0/3',
  code: 'NOT_JSON',
  reason: 'The value is no JSON object',
  keyBytes: null,
  valueBytes: 26,
  key: null,
  value: content(Buffer.from('{"name":"Cliente Teste 01"')),
  headers: [
    { name: 'ce_tenant', bytes: 4, value: content(Buffer.from('acme')) },
    { name: 'odd', bytes: null, value: null },
  ],
};

function text(body: boolean): string {
  const blocks = letterBlocks(LETTER, body, sayIn('en'));
  return print({ json: null, blocks, notes: [], exit: EXIT.done }, { json: false, width: null }).stdout;
}

describe('a dead letter', () => {
  it('is shown without content, whatever an app answers: how long it is, and the names of its headers', () => {
    expect(withoutContent(LETTER)).toEqual({
      id: LETTER.id,
      code: 'NOT_JSON',
      reason: LETTER.reason,
      keyBytes: null,
      valueBytes: 26,
      headers: [
        { name: 'ce_tenant', bytes: 4 },
        { name: 'odd', bytes: null },
      ],
    });
    expect(text(false)).not.toMatch(/Cliente|acme/);
    expect(text(false)).toMatch(/headers +ce_tenant, odd/);
  });

  it('has its key, value and headers where they are asked for', () => {
    expect(text(true)).toContain(
      'Headers:\n  ce_tenant: acme\n  odd: -\nKey:\n-\nValue:\n{"name":"Cliente Teste 01"\n',
    );
  });

  it('shows bytes that are no text in base64', () => {
    const value = { base64: 'AP+A', text: null };
    const blocks = letterBlocks({ ...LETTER, value }, true, sayIn('en'));
    expect(blocks.slice(-2)).toEqual([
      { kind: 'line', text: 'The content is no text; in base64:' },
      { kind: 'content', text: 'AP+A' },
    ]);
  });

  it('is not made up where an app answers something else', () => {
    expect(withoutContent({ id: 'x', headers: 'none' })).toEqual({ id: 'x', headers: [] });
  });
});
