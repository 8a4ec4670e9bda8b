import { TokenDigests, type TokenHolder } from '@gondola/shared/token-digests';

/** The scheme that a sender may put in front of the token as registered (rule 3). */
const SCHEME = /^(?:bearer|basic) +/i;
/** More than Node allows for all headers of a request. */
const MAX_HEADER_LENGTH = 16_384;

/**
 * Finds a sender by the `Authorization` header (docs/platform.md, "Authentication" 4): the
 * `authToken` as sent or with its scheme in front.
 */
export class TokenDirectory {
  readonly #digests: TokenDigests;

  /** A tenant has at most two tokens, so that one can replace the other. */
  constructor(holders: readonly TokenHolder[]) {
    this.#digests = new TokenDigests(holders);
  }

  /**
   * Tenant of the token in the header; null for an unknown token. With `expected`, only that tenant's tokens count.
   */
  tenantOf(authorization: string | undefined, expected?: string): string | null {
    const header = (authorization ?? '').slice(0, MAX_HEADER_LENGTH);
    const bare = header.replace(SCHEME, '');
    return this.#digests.tenantOf(bare === header ? [header] : [header, bare], expected);
  }
}

/** Path that the platform delivers to; a slash and a tenant may follow. */
export const WEBHOOK_PATH = '/webhooks/platform';

/** The tenant that a webhook URL names. */
export interface WebhookPath {
  /** Null if only the token identifies the tenant. */
  readonly tenant: string | null;
}

const ANYBODY: WebhookPath = { tenant: null };

/**
 * Recognises the webhook's URL, with and without a slash at the end, percent-encoded or not, with any query: the
 * URL that a merchant registers can never be changed. Null for any other URL.
 */
export function webhookPath(url: string): WebhookPath | null {
  if (url === WEBHOOK_PATH) return ANYBODY;
  const path = decoded(url.split(/[?#]/, 1)[0]!);
  if (!path?.startsWith(WEBHOOK_PATH)) return null;
  const [first, tenant = '', ...others] = path.slice(WEBHOOK_PATH.length).split('/');
  const isOne = first === '' && (others.length === 0 || (tenant !== '' && others.length === 1 && others[0] === ''));
  if (!isOne) return null;
  return tenant === '' ? ANYBODY : { tenant };
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
