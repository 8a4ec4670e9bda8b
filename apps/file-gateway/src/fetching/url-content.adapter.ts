import type { Readable } from 'node:stream';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { HostAddressError } from '@gondola/service-kit/http/checked-lookup.adapter';
import { Inject, Injectable } from '@nestjs/common';
import { Agent, request } from 'undici';
import type { Config } from '../config.ts';
import { type FetchRefusal, judgeUrl } from './allowed-url.ts';
import { FetchError } from './fetch-error.ts';
import { HostAddresses } from './host-addresses.adapter.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MISSING: ReadonlySet<number> = new Set([404, 410]);

/**
 * Content by its URL (rule 31). Each hop is checked again and connects to the checked address; no cookies,
 * credentials or other data of the tenant are sent.
 */
@Injectable()
export class UrlContent {
  readonly #limits: { readonly maxBytes: number; readonly timeoutMs: number };
  readonly #allowedHosts: ReadonlyMap<string, readonly string[]>;

  constructor(
    private readonly addresses: HostAddresses,
    @Inject(CONFIG)
    {
      uploads,
      fetching,
    }: {
      readonly uploads: Pick<Config['uploads'], 'maxBytes'>;
      readonly fetching: Pick<Config['fetching'], 'timeoutMs'>;
    },
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'files'>>,
  ) {
    this.#limits = { maxBytes: uploads.maxBytes, timeoutMs: fetching.timeoutMs };
    this.#allowedHosts = new Map(tenants.map(({ id, files }) => [id, files.allowedHosts]));
  }

  /** Null if the text of the URL allows the tenant to fetch from it. */
  refusalOf(tenant: string, url: string): FetchRefusal | null {
    const judged = judgeUrl(url, this.#allowedHosts.get(tenant) ?? []);
    return judged.kind === 'refused' ? judged.why : null;
  }

  /**
   * The content as it arrives. The time limit counts only while the server is waited for: a slow database is no fault
   * of the address. Throws `FetchError`.
   */
  async *read(tenant: string, url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { timeoutMs } = this.#limits;
    const agent = new Agent({
      connect: { lookup: this.addresses.lookup, timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const late = new AbortController();
    let leftMs = timeoutMs;
    const timed = async <T>(wait: () => Promise<T>): Promise<T> => {
      const since = performance.now();
      const timer = setTimeout(() => late.abort(new Error('The server took too long')), leftMs);
      try {
        return await wait();
      } finally {
        clearTimeout(timer);
        leftMs -= performance.now() - since;
      }
    };
    try {
      const via = { agent, signal: AbortSignal.any([signal, late.signal]) };
      const body = await timed(() => this.#body(tenant, url, via));
      const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
      for (
        let piece = await timed(() => pieces.next());
        piece.done !== true;
        piece = await timed(() => pieces.next())
      ) {
        yield piece.value;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw fetchErrorOf(error);
    } finally {
      await agent.destroy();
    }
  }

  async #body(tenant: string, from: string, via: { agent: Agent; signal: AbortSignal }): Promise<Readable> {
    let target = from;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const judged = judgeUrl(target, this.#allowedHosts.get(tenant) ?? []);
      if (judged.kind === 'refused') throw new FetchError(judged.why);
      const { statusCode, headers, body } = await request(judged.url, {
        dispatcher: via.agent,
        signal: via.signal,
        headers: { accept: 'image/*, application/pdf', 'accept-encoding': 'identity', 'user-agent': 'gondola' },
      });
      if (statusCode === 200) return this.#checkedBody(headers, body);
      body.on('error', () => {}).destroy();
      if (!REDIRECTS.has(statusCode)) throw new FetchError(MISSING.has(statusCode) ? 'not-there' : 'unreachable');
      const { location } = headers;
      if (typeof location !== 'string' || !URL.canParse(location, judged.url.href))
        throw new FetchError('url-malformed');
      target = new URL(location, judged.url).href;
    }
    throw new FetchError('too-many-redirects');
  }

  #checkedBody(headers: Readonly<Record<string, string | string[] | undefined>>, body: Readable): Readable {
    const encoding = headers['content-encoding'] ?? 'identity';
    const problem =
      encoding !== 'identity'
        ? 'encoded'
        : Number(headers['content-length'] ?? 0) > this.#limits.maxBytes
          ? 'too-large'
          : null;
    if (problem === null) return body;
    body.on('error', () => {}).destroy();
    throw new FetchError(problem);
  }
}

/** The `FetchError` in an error's chain of causes. Any other error is the network's: unreachable. */
function fetchErrorOf(error: unknown): FetchError {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof FetchError) return each;
    if (each instanceof HostAddressError && each.code === 'forbidden')
      return new FetchError('address-not-allowed', error);
  }
  return new FetchError('unreachable', error);
}
