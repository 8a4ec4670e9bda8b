import { describe, expect, it } from '@jest/globals';
import { cell, fieldsOf, tableOf } from './blocks.ts';
import { EXIT } from './report.ts';
import { print } from './print.ts';
import type { Block, Report } from './report.ts';
import { sayIn } from '../texts/texts.ts';

const COLUMNS = { id: 'colId', detail: 'colDetail' } as const;
const say = sayIn('en');

function report(...blocks: Block[]): Report {
  return { json: { ok: true }, blocks, notes: ['A note.'], exit: EXIT.done };
}

function people(width: number | null, ...blocks: Block[]): string {
  return print(report(...blocks), { json: false, width }).stdout;
}

describe('print', () => {
  it('puts one JSON document on standard output, and the notes on standard error', () => {
    const { stdout, stderr } = print(report({ kind: 'line', text: 'for people' }), { json: true, width: 80 });
    expect(JSON.parse(stdout)).toEqual({ ok: true });
    expect(stderr).toBe('A note.\n');
  });

  it('aligns a table and leaves no blanks at the end of a line', () => {
    const table = tableOf(say, COLUMNS, [
      { id: '7', detail: 'agência' },
      { id: '1234', detail: null },
    ]);
    expect(people(null, table)).toBe('ID    DETAIL\n7     agência\n1234  -\n');
  });

  it('shortens the flexible column to the terminal, and nothing without a terminal', () => {
    const table = tableOf(say, COLUMNS, [{ id: '7', detail: 'x'.repeat(40) }], 'detail');
    expect(people(24, table)).toBe(`ID  DETAIL\n7   ${'x'.repeat(19)}…\n`);
    expect(people(null, table)).toContain('x'.repeat(40));
  });

  it('never cuts what has to be copied', () => {
    const table = tableOf(say, COLUMNS, [{ id: '7'.repeat(60), detail: 'x'.repeat(40) }], 'detail');
    expect(people(20, table)).toContain('7'.repeat(60));
  });

  it('lets nothing that came from outside steer the terminal, in a table, a content, a note or a document', () => {
    const evil = '\u001b[2J\u009b31m\u202eevil\r';
    const blocks: Block[] = [
      tableOf(say, COLUMNS, [{ id: '7', detail: evil }]),
      { kind: 'content', text: `${evil}\nsecond` },
      { kind: 'line', text: evil },
    ];
    const dangerous = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;
    const text = print({ json: { evil }, blocks, notes: [evil], exit: EXIT.done }, { json: false, width: null });
    expect(text.stdout).not.toMatch(dangerous);
    expect(text.stderr).not.toMatch(dangerous);
    const { stdout } = print({ json: { evil }, blocks, notes: [], exit: EXIT.done }, { json: true, width: null });
    expect(stdout).not.toMatch(dangerous);
    expect(JSON.parse(stdout)).toEqual({ evil });
  });
});

describe('cell', () => {
  it.each([
    ['2026-11-20T13:15:02.114Z', '2026-11-20 13:15:02Z'],
    ['2026-11-20T10:15:02-03:00', '2026-11-20T10:15:02-03:00'],
    [null, '-'],
    [undefined, '-'],
    ['', '-'],
    [0, '0'],
    [false, 'false'],
    [{ a: 1 }, '{"a":1}'],
  ])('shows %j as %s', (value, text) => {
    expect(cell(value)).toBe(text);
  });
});

describe('fieldsOf', () => {
  it('shows whatever an app answers: nested fields with a dot, plain lists in one line', () => {
    const answer = {
      tenant: 'acme',
      events: ['Order_Updated', 'User_Created'],
      platform: { status: 409, at: null },
      none: [],
    };
    expect(people(null, fieldsOf(answer))).toBe(
      'tenant           acme\n' +
        'events           Order_Updated, User_Created\n' +
        'platform.status  409\n' +
        'platform.at      -\n' +
        'none             -\n',
    );
  });

  it('numbers the entries of a list of objects', () => {
    expect(people(null, fieldsOf({ tenants: [{ id: 'acme' }, { id: 'bairro' }] }))).toBe(
      'tenants.0.id  acme\ntenants.1.id  bairro\n',
    );
  });
});
