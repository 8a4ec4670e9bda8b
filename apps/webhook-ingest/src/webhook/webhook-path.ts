/** Where the platform delivers; behind it, and a slash, a tenant may be named. */
export const WEBHOOK_PATH = '/webhooks/platform';

/** The tenant that a webhook URL names. */
export interface WebhookPath {
  /** Null where only the token says whose webhook it is. */
  readonly tenant: string | null;
}

const ANYBODY: WebhookPath = { tenant: null };

/**
 * Whether a request's URL is the webhook's, with and without a slash at the end, percent-encoded or not, whatever its
 * query says: the URL that a merchant registers can never be changed. Null for any other URL.
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
