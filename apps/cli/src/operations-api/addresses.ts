/** Apps whose operations API is used, with their ports of the contract. */
export const APP_PORTS = {
  'webhook-ingest': 8081,
  'catalog-publisher': 8084,
  'order-command-handler': 8083,
  'file-gateway': 8082,
  console: 8085,
} as const;

export type AppName = keyof typeof APP_PORTS;

/** The apps that consume from Kafka; each has its own dead letters and lanes. */
export const CONSUMERS = ['catalog-publisher', 'order-command-handler', 'file-gateway'] as const satisfies AppName[];

/** `.gondola/run.json`, which `npm start` writes. */
export interface RunFile {
  readonly path: string;
  readonly content: unknown;
  /** Token in the file that `run.json` names; null: it names no readable file. */
  readonly token: string | null;
}

export interface AddressSources {
  /** `--api-url`. */
  readonly option?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null: neither the working directory nor a parent folder has one. */
  readonly run: RunFile | null;
}

/** Origin of an address, named in the error if the app does not answer there. */
export type AddressSource =
  | { kind: 'option' }
  | { kind: 'environment'; name: string }
  | RunSource
  | { kind: 'default' };
interface RunSource {
  kind: 'run-file';
  path: string;
}

export interface Address {
  readonly kind: 'address';
  /** Without a trailing slash. */
  readonly url: string;
  readonly source: AddressSource;
}

export interface WrongAddress {
  readonly kind: 'wrong-address';
  readonly source: AddressSource;
  readonly problem: 'no-url' | 'has-credentials' | 'not-local';
}

/** `GONDOLA_WEBHOOK_INGEST_URL`. */
export function addressVariable(app: AppName): string {
  return `GONDOLA_${app.toUpperCase().replaceAll('-', '_')}_URL`;
}

/** Address of an app: the option, else the environment, else `.gondola/run.json`, else its port on this machine. */
export function chooseAddress(app: AppName, { option, env, run }: AddressSources): Address | WrongAddress {
  if (option !== undefined) return checked(option, { kind: 'option' });
  const name = addressVariable(app);
  const variable = env[name];
  if (variable !== undefined && variable !== '') return checked(variable, { kind: 'environment', name });
  const running = run === null ? undefined : addressIn(run.content, app);
  if (run !== null && running !== undefined) return checkedRun(running, { kind: 'run-file', path: run.path });
  return { kind: 'address', url: `http://127.0.0.1:${APP_PORTS[app]}`, source: { kind: 'default' } };
}

/** Variable with the address of `/uploads`, for a file-gateway whose `/api` has a separate port. */
const UPLOADS_VARIABLE = 'GONDOLA_UPLOADS_URL';

/** Address of `/uploads`: its own variable, else the address of file-gateway. */
export function chooseUploadsAddress(sources: AddressSources): Address | WrongAddress {
  const own = sources.env[UPLOADS_VARIABLE];
  if (own !== undefined && own !== '') return checked(own, { kind: 'environment', name: UPLOADS_VARIABLE });
  return chooseAddress('file-gateway', sources);
}

/**
 * Token for an address: that of the environment, else that of `run.json`, which is sent only to the apps that the
 * same file names.
 */
export function chooseToken(
  { source }: Address,
  { token, run }: { readonly token: string | null; readonly run: RunFile | null },
): string | null {
  return token ?? (source.kind === 'run-file' ? (run?.token ?? null) : null);
}

function addressIn(content: unknown, app: AppName): unknown {
  return typeof content === 'object' && content !== null ? (content as Record<string, unknown>)[app] : undefined;
}

/**
 * Accepts addresses of this machine only: the token is sent there, and the file may have been copied with the
 * folder.
 */
function checkedRun(value: unknown, source: RunSource): Address | WrongAddress {
  const address = checked(typeof value === 'string' ? value : '', source);
  if (address.kind === 'wrong-address') return address;
  const { hostname } = new URL(address.url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return isLocal ? address : { kind: 'wrong-address', source, problem: 'not-local' };
}

function checked(text: string, source: AddressSource): Address | WrongAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return { kind: 'wrong-address', source, problem: 'no-url' };
  if (url.username !== '' || url.password !== '') return { kind: 'wrong-address', source, problem: 'has-credentials' };
  return { kind: 'address', url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), source };
}
