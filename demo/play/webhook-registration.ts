// The shop's webhook, registered as an operator does it: by webhook-ingest, which remembers what the platform never
// tells again (rule 37).

interface State {
  outcome: string;
}

const STANDS = 'webhook stands since an earlier start';

export class WebhookRegistration {
  private readonly url: string;
  private readonly operationsToken: string;

  constructor(url: string, operationsToken: string) {
    this.url = `${url}/api/webhook-registration`;
    this.operationsToken = operationsToken;
  }

  /** Registers it unless it stands already, and says so with how many events it has. It can never be changed. */
  async register(tenant: string, webhookUrl: string): Promise<string> {
    const { registrations } = await this.call<{ registrations: State[] }>(`?tenant=${tenant}`);
    if (registrations[0]?.outcome === 'registered') return STANDS;
    const body = JSON.stringify({ tenant, url: webhookUrl, confirm: true });
    const answer = await this.call<{ events: string[] }>('', { method: 'POST', body }, 'WEBHOOK_EXISTS');
    return answer === null ? STANDS : `webhook registered for ${answer.events.length} events`;
  }

  /** Null: refused with a code that begins with `expected`. */
  private async call<T>(query: string): Promise<T>;
  private async call<T>(query: string, init: RequestInit, expected: string): Promise<T | null>;
  private async call<T>(query: string, init: RequestInit = {}, expected?: string): Promise<T | null> {
    const answer = await fetch(this.url + query, {
      ...init,
      headers: { authorization: `Bearer ${this.operationsToken}`, 'content-type': 'application/json' },
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as T;
    if (expected !== undefined && text.includes(`"${expected}`)) return null;
    throw new Error(`${init.method ?? 'GET'} ${this.url} answered ${answer.status}: ${text.slice(0, 300)}`);
  }
}
