import { visible } from './print.ts';
import { progressLine } from './progress.ts';

/** How far a long command is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** The file that is sent; left out: records are counted. */
  readonly label?: string;
}

const QUARTERS = 4;
const CLEAR_LINE = '\r\u001B[K';

/**
 * Shows how far a command is while it runs: on a terminal a bar that is replaced, elsewhere a plain line for each
 * quarter of a file.
 */
export class LiveProgress {
  readonly #write: (text: string) => void;
  /** Columns; null: no terminal. */
  readonly #width: number | null;
  #shown = '';

  constructor(write: (text: string) => void, width: number | null) {
    this.#write = write;
    this.#width = width;
  }

  update({ label, done, total }: Progress): void {
    const name = label === undefined ? undefined : visible(label);
    const line =
      this.#width === null ? quarterLine(done, total, name) : cut(progressLine(done, total, name), this.#width);
    if (line === null || line === this.#shown) return;
    this.#shown = line;
    this.#write(this.#width === null ? `${line}\n` : CLEAR_LINE + line);
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#width !== null && this.#shown !== '') this.#write(CLEAR_LINE);
    this.#shown = '';
  }
}

function quarterLine(done: number, total: number, name: string | undefined): string | null {
  const quarters = Math.floor((done / total) * QUARTERS);
  return name === undefined || quarters === 0 ? null : `${name}: ${(quarters / QUARTERS) * 100} %`;
}

/** One column stays free, since some terminals go on to the next line after the last one. */
function cut(line: string, width: number): string {
  return Array.from(line)
    .slice(0, Math.max(width - 1, 1))
    .join('');
}
