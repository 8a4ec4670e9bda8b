import { createHash } from 'node:crypto';
import type { Reply } from './test-server.ts';

/** Decides which reads are evaded; `WORLD_SEED` plays others. */
const SEED = Number(process.env['WORLD_SEED'] ?? 1);
const HTML = '<!doctype html><title>Manutenção</title>';
/** Answers in the platform's place, of a proxy or a gateway: no route has such an answer. */
const PAGES: readonly Reply[] = [
  { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, text: HTML },
  { status: 200, text: HTML },
  { status: 204 },
  { status: 302, headers: { location: '/manutencao', 'content-type': 'text/html; charset=utf-8' }, text: HTML },
  { status: 200, text: '{"number":1,"sta' },
];
const BYTE = 256;
/** No status of an order (platform document, "1300"). */
const VALUES_RECALCULATED = 1_300;

/** Answers to the first reads of each path as the world gives them: a page in their place, digits as text, or 1300. */
export class EvasiveReads {
  /** Most answers to one path that are evasive. */
  readonly #most: number;
  readonly #asked = new Map<string, number>();

  constructor(most = 2) {
    this.#most = most;
    process.stderr.write(`Evasive reads: WORLD_SEED=${SEED}\n`);
  }

  /** The answer to a request, from the platform's own: only to a read that succeeds it is another one. */
  answer({ method, path }: { readonly method: string; readonly path: string }, own: Reply): Reply {
    if (method !== 'GET' || typeof own === 'string' || own.status >= 300) return own;
    const nth = this.#asked.get(path) ?? 0;
    this.#asked.set(path, nth + 1);
    if (nth >= this.#most) return own;
    const [choice = 0, page = 0] = createHash('sha256').update(`${SEED} ${nth} ${path}`).digest();
    if (choice < BYTE / 4) return own;
    if (choice < BYTE / 2) return PAGES[page % PAGES.length]!;
    return { ...own, json: withStatus(own.json, choice < (BYTE * 3) / 4 ? String : () => VALUES_RECALCULATED) };
  }
}

/** A status, or what has one, with another in its place; anything else unchanged. */
function withStatus(json: unknown, other: (status: number) => unknown): unknown {
  if (typeof json === 'number') return other(json);
  if (typeof json !== 'object' || json === null || !('status' in json) || typeof json.status !== 'number') return json;
  return { ...json, status: other(json.status) };
}
