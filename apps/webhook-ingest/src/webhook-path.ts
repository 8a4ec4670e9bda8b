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
