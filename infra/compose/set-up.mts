// Program of the service set-up in docker-compose.yml: opens the tenant's shop in the sandbox and registers its
// webhook with webhook-ingest, which stores the registration (rule 37). A second start finds both, changes nothing
// and exits 0. Node.js runs this file directly, without packages; the suffix marks it as a module, because the
// container has no package.json beside it.

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface RegistrationState {
  readonly outcome: string;
  readonly url: string | null;
}

const CALL_LIMIT_MS = 60_000;
/** The webhook of an earlier start, because only Gondola has credentials of this shop. */
const STANDING_OUTCOMES = ['registered', 'exists-probably-ours'];
const STANDING_CODES = ['WEBHOOK_EXISTS_OURS', 'WEBHOOK_EXISTS_PROBABLY_OURS'];

try {
  process.stdout.write(`${await openShop()}\n`);
  process.stdout.write(`${await registerWebhook()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** If the shop is open already, this only sets its credentials to the same ones that all apps use. */
async function openShop(): Promise<string> {
  const contractAccountId = variable('CONTRACT_ACCOUNT_ID');
  const url = `${variable('SANDBOX_URL')}/admin/tenants`;
  const credentials = {
    contractAccountId,
    username: variable('PLATFORM_USERNAME'),
    password: variable('ACME_PLATFORM_PASSWORD'),
    apiKey: variable('ACME_CORE_API_KEY'),
  };
  const answer = await call('POST', url, credentials);
  if (answer.status !== 201) throw unexpected('POST', url, answer);
  return `The shop of ${contractAccountId} is open in the sandbox.`;
}

async function registerWebhook(): Promise<string> {
  const tenant = variable('TENANT');
  const url = `${variable('WEBHOOK_INGEST_URL')}/api/webhook-registration`;
  const shown = await call('GET', `${url}?tenant=${tenant}`);
  if (shown.status !== 200) throw unexpected('GET', url, shown);
  const [state] = (shown.body as { registrations: RegistrationState[] }).registrations;
  if (state !== undefined && STANDING_OUTCOMES.includes(state.outcome))
    return `The webhook of ${tenant} stands since an earlier start: ${state.url}`;
  const target = `${variable('WEBHOOK_INGEST_URL')}/webhooks/platform/${tenant}`;
  const answer = await call('POST', url, { tenant, url: target, confirm: true });
  if (answer.status === 200) return `The webhook of ${tenant} is registered: ${target}`;
  if (STANDING_CODES.includes(errorOf(answer)?.code ?? '')) return `The webhook of ${tenant} stands: ${target}`;
  throw unexpected('POST', url, answer);
}

async function call(method: string, url: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${variable('OPERATIONS_TOKEN')}`, 'content-type': 'application/json' };
  const init = { method, headers, signal: AbortSignal.timeout(CALL_LIMIT_MS) };
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    text = await response.text();
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Error(`${method} ${url} has no answer: ${cause instanceof Error ? cause.message : message}`, {
      cause: error,
    });
  }
  return { status: response.status, body: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function errorOf({ body }: Answer): { code?: string; message?: string } | undefined {
  return (body as { error?: { code?: string; message?: string } } | null)?.error;
}

function unexpected(method: string, url: string, answer: Answer): Error {
  const { code = '', message = '' } = errorOf(answer) ?? {};
  return new Error(`${method} ${url} answered ${answer.status} ${code} ${message}`.trim());
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set; docker-compose.yml sets it`);
  return value;
}
