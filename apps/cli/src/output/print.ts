import type { Block, Report, Table } from './report.ts';

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

export interface PrintOptions {
  readonly json: boolean;
  /** Columns of the terminal; null: not a terminal, so no column is cut. */
  readonly width: number | null;
}

const GAP = '  ';
const LEAST_FLEXIBLE = 12;

/**
 * Prints a report as text: with `json`, one document on standard output and nothing else; otherwise the blocks.
 * Notes go to standard error.
 */
export function print(report: Report, { json, width }: PrintOptions): Printed {
  const stdout = json ? document(report.json) : report.blocks.map((block) => paragraph(block, width)).join('');
  return { stdout, stderr: report.notes.map((note) => `${visible(note)}\n`).join('') };
}

/** Escapes control characters, also those beyond ASCII, because some terminals interpret them. */
function document(json: unknown): string {
  const text = JSON.stringify(json, null, 2);
  return `${text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (char) => (char === '\n' ? char : escaped(char)))}\n`;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function paragraph(block: Block, width: number | null): string {
  switch (block.kind) {
    case 'line':
      return `${visible(block.text)}\n`;
    case 'table':
      return tableText(block.table, width);
    case 'fields':
      return tableText({ headers: [], rows: block.fields }, null);
    default:
      return `${block.text.split('\n').map(visible).join('\n')}\n`;
  }
}

/** Replaces control characters, with which text of others could control the terminal. */
export function visible(text: string): string {
  return text.replaceAll('\t', '  ').replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

function tableText({ headers, rows, flexible }: Table, width: number | null): string {
  const lines = (headers.length === 0 ? rows : [headers, ...rows]).map((row) => row.map(visible));
  const widths = columnWidths(lines);
  const excess = width === null ? 0 : sum(widths) + GAP.length * (widths.length - 1) - width;
  if (flexible !== undefined && excess > 0)
    widths[flexible] = Math.max(Math.min(LEAST_FLEXIBLE, widths[flexible] ?? 0), (widths[flexible] ?? 0) - excess);
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, at) => fit(cell, widths[at] ?? 0))
          .join(GAP)
          .trimEnd()}\n`,
    )
    .join('');
}

function columnWidths(lines: ReadonlyArray<readonly string[]>): number[] {
  const widths: number[] = [];
  for (const cells of lines)
    for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, lengthOf(cell));
  return widths;
}

function fit(cell: string, width: number): string {
  const length = lengthOf(cell);
  return length > width
    ? `${Array.from(cell)
        .slice(0, width - 1)
        .join('')}…`
    : cell + ' '.repeat(width - length);
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
