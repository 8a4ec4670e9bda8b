import { visible } from './print.ts';

/** Progress of a long command. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Name of the file being sent; absent: the progress counts records. */
  readonly label?: string;
}

const CELLS = 30;
const QUARTERS = 4;
const CLEAR_LINE = '\r\u001B[K';

/**
 * Shows the progress of a running command: on a terminal as a bar that is redrawn, elsewhere as a plain line for
 * each quarter of a file.
 */
export class LiveProgress {
  readonly #write: (text: string) => void;
  /** Number of columns; null: no terminal. */
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

  /** Removes the bar. */
  end(): void {
    if (this.#width !== null && this.#shown !== '') this.#write(CLEAR_LINE);
    this.#shown = '';
  }
}

/** Progress of a long command as one terminal line; `name` replaces the counts. */
export function progressLine(done: number, total: number, name = `(${done}/${total})`): string {
  const share = total <= 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * CELLS);
  return `[${'#'.repeat(filled)}${'.'.repeat(CELLS - filled)}] ${Math.floor(share * 100)} % ${name}`;
}

function quarterLine(done: number, total: number, name: string | undefined): string | null {
  const quarters = Math.floor((done / total) * QUARTERS);
  return name === undefined || quarters === 0 ? null : `${name}: ${(quarters / QUARTERS) * 100} %`;
}

/** Leaves one column free, because some terminals wrap after the last column. */
function cut(line: string, width: number): string {
  return Array.from(line)
    .slice(0, Math.max(width - 1, 1))
    .join('');
}
