import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { LoadWithFailures } from '../../src/loads/show-loads.service.ts';

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** The operations API of a replica, as far as it is about loads. */
export class LoadsClient {
  constructor(
    private readonly url: () => string,
    /** Needed where there are several. */
    private readonly tenant?: string,
  ) {}

  get(path: string): Promise<Answer<unknown>> {
    return this.#call(path);
  }

  async load(loadId: string): Promise<LoadWithFailures> {
    return (await this.#call<LoadWithFailures>(`/api/loads/${encodeURIComponent(loadId)}`)).body;
  }

  begin(loadId: string, records: number, more: object = {}): Promise<Answer<LoadWithFailures>> {
    const digest = '0'.repeat(64);
    return this.#call('/api/loads', { loadId, records, digest, ...more });
  }

  take(loadId: string, from: number, records: readonly (object | string)[]): Promise<Answer<Record<string, unknown>>> {
    const texts = records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
    return this.#call(`/api/loads/${encodeURIComponent(loadId)}/records`, { from, records: texts });
  }

  resend(selection: object): Promise<Answer<LoadWithFailures>> {
    return this.#call('/api/resends', selection);
  }

  async #call<T>(path: string, body?: object): Promise<Answer<T>> {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const query = this.tenant === undefined ? '' : `?tenant=${this.tenant}`;
    const response = await asOperator(`${this.url()}${path}${query}`, body === undefined ? {} : sent);
    return { status: response.status, body: (await response.json()) as T };
  }
}

/** The counts of a load that are not 0. */
export function countsOf({ counts }: Pick<LoadWithFailures, 'counts'>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** What holds of a load at every look. */
export function sumOf({ counts }: Pick<LoadWithFailures, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
