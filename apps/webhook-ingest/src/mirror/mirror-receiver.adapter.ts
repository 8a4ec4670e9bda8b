import { checkedLookup, HostAddressError } from '@gondola/service-kit/http/checked-lookup.adapter';
import { codeOf } from '@gondola/service-kit/logging/safe-error';
import { isReceiverAddress } from '@gondola/shared/receiver-address';
import { Agent, request } from 'undici';
import type { Attempt } from './judge-attempt.ts';

/** Bytes of an answer that are read; a longer one ends the connection. */
const MOST_ANSWER_BYTES = 65_536;

export interface MirrorAddress {
  readonly url: string;
  readonly token: string;
  readonly private: boolean;
}

/**
 * A tenant's mirror by HTTP. Each connection goes to an address that is checked as it is made; redirects are not
 * followed, and the content of an answer counts for nothing.
 */
export class MirrorReceiver {
  readonly #agent: Agent;

  constructor(
    private readonly address: MirrorAddress,
    private readonly answerMs: number,
  ) {
    const lookup = checkedLookup((each) => isReceiverAddress(each, address.private));
    this.#agent = new Agent({ connections: 1, connect: { lookup, timeout: answerMs } });
  }

  /** Sends the bytes with these headers and the token. Never throws. */
  async send(headers: readonly string[], body: Buffer): Promise<Attempt> {
    const { url, token } = this.address;
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: [...headers, 'authorization', `Bearer ${token}`],
        body,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(this.answerMs),
      });
      await answer.body.dump({ limit: MOST_ANSWER_BYTES }).catch(() => undefined);
      return { status: answer.statusCode };
    } catch (error) {
      return { code: failureOf(error) };
    }
  }

  /** Ends what is in progress. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** A code without content: of the refused address, of the time-out, or of the connection. */
function failureOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof HostAddressError) return each.code === 'forbidden' ? 'ADDRESS_FORBIDDEN' : 'HOST_UNKNOWN';
    if (each.name === 'TimeoutError') return 'TIMEOUT';
  }
  return codeOf(error) ?? 'FAILED';
}
