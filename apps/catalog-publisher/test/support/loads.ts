import { setTimeout as delay } from 'node:timers/promises';
import { type ApiAnswer, callApi } from '@gondola/local-stack/testing/as-operator';
import type { LoadWithFailures } from '../../src/intake/show-loads.service.ts';

/** Most records in one call of the operations API. */
const PART = 500;
const LOOK_MS = 200;

/** The operations API of a replica, as far as it is about loads. */
export class LoadsClient {
  constructor(
    private readonly url: () => string,
    /** Needed where there are several. */
    private readonly tenant?: string,
  ) {}

  get(path: string): Promise<ApiAnswer<unknown>> {
    return this.#call(path);
  }

  async load(loadId: string): Promise<LoadWithFailures> {
    return (await this.#call<LoadWithFailures>(`/api/loads/${encodeURIComponent(loadId)}`)).body;
  }

  /** Begins a load of this name; null lets the app name it. */
  begin(loadId: string | null, records: number, more: object = {}): Promise<ApiAnswer<LoadWithFailures>> {
    const digest = '0'.repeat(64);
    return this.#call('/api/loads', { ...(loadId !== null && { loadId }), records, digest, ...more });
  }

  take(
    loadId: string,
    from: number,
    records: readonly (object | string)[],
  ): Promise<ApiAnswer<Record<string, unknown>>> {
    const texts = records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
    return this.#call(`/api/loads/${encodeURIComponent(loadId)}/records`, { from, records: texts });
  }

  /** Hands over what was not taken yet, up to a place; as a file's client goes on wherever it was stopped. */
  async handOver(loadId: string, records: readonly { readonly text: string }[], upTo = records.length): Promise<void> {
    let { taken: from } = (await this.begin(loadId, records.length)).body;
    while (from < upTo) {
      const part = records.slice(from, Math.min(from + PART, upTo)).map(({ text }) => text);
      const { status } = await this.take(loadId, from, part);
      if (status !== 200) throw new Error(`The part from ${from} was answered ${status}`);
      from += part.length;
    }
  }

  /** Looks again and again until nothing is open. Throws where the sums do not hold at some look. */
  async ended(loadId: string): Promise<LoadWithFailures> {
    for (;;) {
      const load = await this.load(loadId);
      if (load.total !== load.taken || sumOf(load) !== load.total)
        throw new Error(`A load of ${load.taken} adds up to ${load.total}`);
      if (load.open === 0) return load;
      await delay(LOOK_MS);
    }
  }

  resend(selection: object): Promise<ApiAnswer<LoadWithFailures>> {
    return this.#call('/api/resends', selection);
  }

  #call<T>(path: string, body?: object): Promise<ApiAnswer<T>> {
    const query = this.tenant === undefined ? '' : `?tenant=${this.tenant}`;
    return callApi({ url: this.url() }, `${path}${query}`, body === undefined ? {} : { method: 'POST', body });
  }
}

/** The counts of a load that are not 0. */
export function countsOf({ counts }: Pick<LoadWithFailures, 'counts'>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Sum of the counts, equal to `total` at any time. */
export function sumOf({ counts }: Pick<LoadWithFailures, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
