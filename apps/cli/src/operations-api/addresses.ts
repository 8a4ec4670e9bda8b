/** The apps whose operations API is used, with the port that the contract gives them. */
export const APP_PORTS = {
  'webhook-ingest': 8081,
  'catalog-publisher': 8084,
  'order-command-handler': 8083,
  'file-gateway': 8082,
} as const;

export type AppName = keyof typeof APP_PORTS;

/** The apps that consume from Kafka; each has its own dead letters. */
export const CONSUMERS = ['catalog-publisher', 'order-command-handler', 'file-gateway'] as const satisfies AppName[];
export type Consumer = (typeof CONSUMERS)[number];

/** `.gondola/run.json`, which `npm start` writes. */
export interface RunFile {
  readonly path: string;
  readonly content: unknown;
  /** The token in the file that it names; null: it names none that can be read. */
  readonly token: string | null;
}

export interface AddressSources {
  /** `--api-url`. */
  readonly option?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null: neither the working directory nor a folder above it has one. */
  readonly run: RunFile | null;
}

/** The origin of an address, named in the error when the app does not answer there. */
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
  /** Without a slash at its end. */
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

/**
 * The address of an app: the option, else the environment, else `.gondola/run.json`, else its port on this machine.
 */
export function chooseAddress(app: AppName, { option, env, run }: AddressSources): Address | WrongAddress {
  if (option !== undefined) return checked(option, { kind: 'option' });
  const name = addressVariable(app);
  const variable = env[name];
  if (variable !== undefined && variable !== '') return checked(variable, { kind: 'environment', name });
  const running = run === null ? undefined : addressIn(run.content, app);
  if (run !== null && running !== undefined) return checkedRun(running, { kind: 'run-file', path: run.path });
  return { kind: 'address', url: `http://127.0.0.1:${APP_PORTS[app]}`, source: { kind: 'default' } };
}

/** The variable of an address of its own for `/uploads`, where file-gateway has `/api` on another port. */
const UPLOADS_VARIABLE = 'GONDOLA_UPLOADS_URL';

/** The address of `/uploads`: its own variable, else that of file-gateway. */
export function chooseUploadsAddress(sources: AddressSources): Address | WrongAddress {
  const own = sources.env[UPLOADS_VARIABLE];
  if (own !== undefined && own !== '') return checked(own, { kind: 'environment', name: UPLOADS_VARIABLE });
  return chooseAddress('file-gateway', sources);
}

/**
 * The token for an address: the environment's, else that of `run.json`, which goes only to the apps that the same
 * file names.
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

/** Accepts addresses of this machine only: the token goes there, and the file may have come with the folder. */
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
