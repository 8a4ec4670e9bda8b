/** Variables that the chart sets itself, from other values: ports, tenants file, migrations, the spool's folder. */
const SET_BY_CHART = ['HTTP_HOST', 'HTTP_PORT', 'OPERATIONS_PORT', 'TENANTS_FILE', 'MIGRATIONS', 'SPOOL_DIR'];
/** Values of these come from a Secret alone. */
export const SECRET = /TOKEN|PASSWORD|SECRET|HEADERS|_SSL_KEY$|^DATABASE_URL$/;
/** Variables of the console that the chart sets: it knows where the other apps are. */
const ADDRESS_OF_APP = /^GONDOLA_.*_URL$/;

export const CHART_APPS = [
  'webhook-ingest',
  'file-gateway',
  'order-command-handler',
  'catalog-publisher',
  'console',
] as const;

/**
 * The variables that an app reads: those that its `loadConfig` asks for. The apps are imported by their address,
 * because no workspace imports an app.
 */
export async function variablesOf(app: string): Promise<string[]> {
  const config = new URL(`../../apps/${app}/src/config.ts`, import.meta.url);
  const { loadConfig } = (await import(config.href)) as { loadConfig: (env: NodeJS.ProcessEnv) => unknown };
  const asked = new Set<string>();
  const env = new Proxy({}, { get: (_env, name) => void asked.add(String(name)) });
  try {
    loadConfig(env);
  } catch {
    // Nothing is set, so it reports what is missing.
  }
  // Any variable can be read from a file that `NAME_FILE` names.
  return [...asked].filter((name) => !asked.has(name.replace(/_FILE$/, '')) || !name.endsWith('_FILE'));
}

/** Most memory that a container of file-gateway takes with the defaults of its settings, by its own limits. */
export async function fileGatewayBytes(): Promise<number> {
  const [memory, config] = ['contents/decoder-memory.ts', 'config.ts'].map(
    (file) => new URL(`../../apps/file-gateway/src/${file}`, import.meta.url).href,
  );
  const { containerBytes } = (await import(memory!)) as { containerBytes: (contentBytes: number) => number };
  const { DEFAULT_UPLOAD_BYTES } = (await import(config!)) as { DEFAULT_UPLOAD_BYTES: number };
  return containerBytes(DEFAULT_UPLOAD_BYTES);
}

/** `values.schema.json`: refuses a value that the chart has not, and a variable that an app does not read. */
export async function valuesSchema(): Promise<object> {
  const variables = await Promise.all(CHART_APPS.map(variablesOf));
  const apps = CHART_APPS.map((app, index) => [app, appSchema(variables[index]!)] as const);
  const shared = variables.flat().filter((name) => variables.every((names) => names.includes(name)));
  const kafka = variables.flat().filter((name) => name.startsWith('KAFKA_') || name.startsWith('TOPIC_'));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object({
      global: { type: 'object' },
      image: object({
        registry: TEXT,
        tag: TEXT,
        pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
        pullSecrets: LIST,
      }),
      env: envSchema([...shared, ...kafka]),
      secrets: SECRETS,
      tenants: object({ secret: TEXT, files: TEXT }),
      migrate: object({ enabled: FLAG, timeoutSeconds: NUMBER }),
      podDisruptionBudget: object({ enabled: FLAG }),
      networkPolicy: object({
        enabled: FLAG,
        ingressPeers: PEERS,
        uploadPeers: PEERS,
        operationsPeers: PEERS,
        ports: object({ kafka: PORTS, postgres: PORTS, platform: PORTS, sftp: PORTS, traces: PORTS }),
      }),
      monitoring: object({ serviceMonitor: FLAG, prometheusRule: FLAG, labels: { type: 'object' } }),
      apps: object(Object.fromEntries(apps)),
    }),
  };
}

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const NUMBER = { type: 'integer', minimum: 1 };
const LIST = { type: 'array' };
const PORTS = { type: 'array', items: { type: 'integer', minimum: 1, maximum: 65_535 } };
/** Peers of a NetworkPolicy. A template checks which of the three a peer has: a schema could not say what is right. */
const PEERS = {
  type: 'array',
  items: object({
    podSelector: { type: 'object' },
    namespaceSelector: { type: 'object' },
    ipBlock: { ...object({ cidr: TEXT, except: { type: 'array', items: TEXT } }), required: ['cidr'] },
  }),
};
/** Variables from Secrets: those of the apps, and those that the tenants file names. */
const SECRETS = {
  type: 'object',
  propertyNames: { pattern: '^[A-Z][A-Z0-9_]*$' },
  additionalProperties: { ...object({ name: TEXT, key: TEXT }), required: ['name', 'key'] },
};

function appSchema(variables: readonly string[]): object {
  return object({
    enabled: FLAG,
    replicas: NUMBER,
    port: NUMBER,
    operationsPort: NUMBER,
    env: envSchema(variables),
    secrets: SECRETS,
    resources: { type: 'object' },
    tmp: object({ size: TEXT }),
    spool: object({ size: TEXT, storageClassName: TEXT }),
    volumes: LIST,
    volumeMounts: LIST,
    autoscaling: object({ enabled: FLAG, maxReplicas: NUMBER, lagRecords: NUMBER }),
  });
}

function envSchema(variables: readonly string[]): object {
  const names = variables.filter(
    (name) => !SET_BY_CHART.includes(name) && !ADDRESS_OF_APP.test(name) && !SECRET.test(name),
  );
  const anyOf = [...new Set(names)].toSorted((one, other) => one.localeCompare(other));
  return {
    type: 'object',
    propertyNames: { enum: anyOf },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  };
}

function object(properties: Record<string, object>) {
  return { type: 'object', additionalProperties: false, properties };
}
