import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

// A Docker engine may be missing: this suite checks everything that needs none, and image.long.spec.ts runs the
// image's steps.

interface Service {
  image?: string;
  command?: string[];
  restart?: string;
  build?: { dockerfile: string; args: { APP: string } };
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
}

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const text = read('docker-compose.yml');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
// The command line runs on its user's machine and is in no image.
const apps = readdirSync(join(root, 'apps')).filter((name) => name !== 'cli');
const appServices = Object.entries(services).filter(([, { build }]) => build !== undefined);

const variablesIn = (section: unknown) =>
  Array.from(JSON.stringify(section ?? null).matchAll(/"env":"(\w+)"/g), ([, name = '']) => name);

describe('docker-compose.yml', () => {
  it('has every app, built by the one Dockerfile', () => {
    expect(appServices.map(([name]) => name).toSorted()).toEqual(apps.toSorted());
    for (const [name, { build }] of appServices)
      expect(build).toMatchObject({ dockerfile: 'infra/Dockerfile', args: { APP: name } });
  });

  it('gives each app only variables that it or its tenants file reads', () => {
    const common = read('packages/service-kit/src/config/config-shapes.ts') + read('infra/compose/tenants.yaml');
    for (const [name, { environment = {} }] of appServices) {
      const known = common + read(`apps/${name}/src/config.ts`);
      expect(Object.keys(environment).filter((variable) => !known.includes(variable))).toEqual([]);
    }
  });

  it('gives each app the secrets of the sections of the tenants file that it uses, and no others', () => {
    const { tenants } = parse(read('infra/compose/tenants.yaml')) as { tenants: Record<string, unknown>[] };
    for (const [name, { environment = {} }] of appServices) {
      const calls = read(`apps/${name}/src/config.ts`).matchAll(/loadTenants\([^)[]*(\[[^\]]*\])\)/g);
      const sections = Array.from(calls).flatMap(([, uses = '']) =>
        Array.from(uses.matchAll(/'(\w+)'/g), ([, section = '']) => section),
      );
      const secrets = tenants.flatMap((tenant) => sections.flatMap((section) => variablesIn(tenant[section])));
      const given = Object.keys(environment).filter((variable) => variable.startsWith('ACME_'));
      expect({ name, given: given.toSorted() }).toEqual({ name, given: secrets.toSorted() });
    }
  });

  it('has no default secret: each comes from the environment, and its absence stops the start', () => {
    const variables = Object.values(services).flatMap(({ environment = {} }) => Object.entries(environment));
    const secrets = variables.filter(([variable]) => /PASSWORD|TOKEN|KEY/.test(variable));
    expect(secrets.filter(([, value]) => !/^\$\{\w+:\?/.test(value))).toEqual([]);
    const withUser = variables.filter(([, value]) => /:\/\/[^/]*@/.test(value));
    expect(withUser.filter(([, value]) => !value.includes('${POSTGRES_PASSWORD:?'))).toEqual([]);
    expect(secrets.length * withUser.length).toBeGreaterThan(0);
  });

  it('asks for what .env.example lists, and that has no values', () => {
    const asked = new Set(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name = '']) => name));
    const listed = Array.from(read('.env.example').matchAll(/^(\w+)=(.*)$/gm), ([, name = '', value]) => ({
      name,
      value,
    }));
    expect(new Set(listed.map(({ name }) => name))).toEqual(asked);
    expect(listed.filter(({ value }) => value !== '')).toEqual([]);
  });

  it('keeps the spool of webhook-ingest on a volume, in a folder that the image gives to its user', () => {
    const folder = services['webhook-ingest']?.environment?.['SPOOL_DIR'];
    expect(services['webhook-ingest']?.volumes).toContain(`webhook-spool:${folder}`);
    expect(read('infra/Dockerfile')).toContain(`mkdir -p ${folder} && chown -R node:node`);
  });

  it('looks at the health of each app as its image says, for engines that drop what the image says', () => {
    const [, options = '', command = ''] = /^HEALTHCHECK (.*) \\\n {2}CMD (.*)$/m.exec(read('infra/Dockerfile')) ?? [];
    const stated = Object.fromEntries(
      Array.from(options.matchAll(/--([\w-]+)=(\S+)/g), ([, name = '', value = '']) => [name.replace('-', '_'), value]),
    );
    const test = ['CMD', ...(JSON.parse(command) as string[])];
    for (const [name, { healthcheck }] of appServices) {
      expect({ name, ...(healthcheck as object) }).toEqual({
        name,
        ...stated,
        retries: Number(stated['retries']),
        test,
      });
    }
  });

  it('listens on this machine only', () => {
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('publishes the configured port of the app, and starts it after its dependencies are healthy', () => {
    for (const [, { environment = {}, ports, depends_on: needs = {} }] of appServices) {
      expect(ports).toEqual([`127.0.0.1:${environment['HTTP_PORT']}:${environment['HTTP_PORT']}`]);
      for (const [need, { condition }] of Object.entries(needs)) {
        expect(condition).toBe('service_healthy');
        expect(services[need]?.healthcheck).toBeDefined();
      }
    }
  });
});

describe('the profile monitoring', () => {
  it('scrapes each app that the alerts know, at its port and under its name', () => {
    const { scrape_configs: jobs } = parse(read('infra/compose/prometheus.yaml')) as {
      scrape_configs: { job_name: string; static_configs: [{ targets: string[] }] }[];
    };
    const scraped = jobs.map(({ job_name: job, static_configs: [{ targets }] }) => [job, ...targets]);
    const own = appServices.filter(([name]) => name !== 'platform-sandbox');
    expect(scraped.toSorted(byText)).toEqual(
      own.map(([name, { environment }]) => [name, `${name}:${environment?.['HTTP_PORT']}`]).toSorted(byText),
    );
  });

  it('mounts files that are there, and lets nobody sign in to Grafana', () => {
    const mounts = ['prometheus', 'grafana'].flatMap((name) => services[name]?.volumes ?? []);
    const files = mounts.filter((mount) => mount.startsWith('./')).map((mount) => mount.split(':'));
    expect(files).toHaveLength(5);
    for (const [path = '', , mode] of files)
      expect([path, existsSync(join(root, path)), mode]).toEqual([path, true, 'ro']);
    expect(services['grafana']?.environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
      GF_AUTH_DISABLE_LOGIN_FORM: 'true',
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
    });
  });
});

describe('the small shop', () => {
  const small = (parse(read('infra/compose/small.yaml')) as { services: Record<string, SmallService> }).services;
  const limits = Object.entries(small).map(([name, { mem_limit: limit }]) => [name, mebibytes(limit)] as const);

  it('limits Kafka, PostgreSQL and each app of docker-compose.yml, to 2 GiB in all and without swap', () => {
    const inTheShop = apps.filter((name) => name !== 'platform-sandbox');
    expect(Object.keys(small).toSorted()).toEqual([...inTheShop, 'kafka', 'postgres'].toSorted());
    for (const { mem_limit: limit, memswap_limit: withSwap } of Object.values(small)) expect(withSwap).toBe(limit);
    expect(limits.reduce((sum, [, limit]) => sum + limit, 0)).toBeLessThanOrEqual(2_048);
  });

  it('gives each app only variables that it reads', () => {
    for (const name of apps) {
      const known = read(`apps/${name}/src/config.ts`);
      const given = Object.keys(small[name]?.environment ?? {});
      expect(given.filter((variable) => !known.includes(variable))).toEqual([]);
    }
  });

  it('leaves Kafka and PostgreSQL a third of their limits beside the heap and the shared buffers', () => {
    const [, heap = NaN] = /-Xmx(\d+)m/.exec(small['kafka']?.environment?.['KAFKA_HEAP_OPTS'] ?? '') ?? [];
    const [, buffers = NaN] = /shared_buffers=(\d+)MB/.exec(small['postgres']?.command?.join(' ') ?? '') ?? [];
    const of = new Map(limits);
    expect(Number(heap)).toBeLessThan((of.get('kafka')! * 2) / 3);
    expect(Number(buffers)).toBeLessThan((of.get('postgres')! * 2) / 3);
  });

  it('has the limits and variables of the chart’s values for it', () => {
    const values = parse(read('infra/helm/gondola/small.yaml')) as { apps: Record<string, SmallApp> };
    const inChart = Object.entries(values.apps).map(([name, { env = {}, resources }]) => {
      return [name, { limit: `${mebibytes(resources.limits.memory)}`, env }] as const;
    });
    const inCompose = Object.keys(values.apps).map((name) => {
      const { mem_limit: limit = '', environment: env = {} } = small[name] ?? {};
      return [name, { limit: `${mebibytes(limit)}`, env }] as const;
    });
    expect(inChart).toEqual(inCompose);
    expect(inChart).toHaveLength(apps.length - 1);
  });
});

interface SmallService extends Pick<Service, 'environment' | 'command'> {
  readonly mem_limit: string;
  readonly memswap_limit: string;
}

interface SmallApp {
  readonly env?: Record<string, string>;
  readonly resources: { readonly limits: { readonly memory: string } };
}

/** `192m` of compose and `192Mi` of Kubernetes. */
function mebibytes(text: string): number {
  return Number(/^(\d+)(?:m|Mi)$/.exec(text)?.[1]);
}

function byText(one: readonly string[], other: readonly string[]): number {
  return one.join(' ').localeCompare(other.join(' '));
}

describe('the service set-up', () => {
  const { image, command = [], restart, environment = {}, volumes = [], depends_on: needs = {} } = services['set-up']!;

  /** Hosts and ports of the network in its variables. */
  const targets = Object.values(environment).flatMap((value) =>
    URL.canParse(value) ? [new URL(value)].map(({ hostname, port }) => ({ hostname, port })) : [],
  );

  it('runs a file that is there, by the Node.js of the images', () => {
    const mounts = volumes.map((volume) => volume.split(':'));
    expect(mounts.map(([path = '', , mode]) => ({ isThere: existsSync(join(root, path)), mode }))).toEqual([
      { isThere: true, mode: 'ro' },
    ]);
    expect(command).toEqual(['node', mounts[0]?.[1]]);
    expect(`NODE_IMAGE=${image}`).toBe(/^ARG (NODE_IMAGE=.*)$/m.exec(read('infra/Dockerfile'))?.[1]);
  });

  it('has a base that is pinned by its digest', () => {
    expect(image).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
  });

  it('starts once all apps are healthy, and again only after a failure', () => {
    expect(needs).toEqual(Object.fromEntries(apps.map((name) => [name, { condition: 'service_healthy' }])));
    expect(restart).toMatch(/^on-failure:\d+$/);
  });

  it('is given what its program reads, and nothing else', () => {
    const asked = Array.from(
      read(volumes[0]!.split(':')[0]!).matchAll(/variable\('(\w+)'\)/g),
      ([, name = '']) => name,
    );
    expect(Object.keys(environment).toSorted()).toEqual([...new Set(asked)].toSorted());
  });

  it('calls services by their names and ports', () => {
    expect(targets).toEqual([
      { hostname: 'platform-sandbox', port: services['platform-sandbox']?.environment?.['HTTP_PORT'] },
      { hostname: 'webhook-ingest', port: services['webhook-ingest']?.environment?.['HTTP_PORT'] },
    ]);
  });

  it('names the tenant as its tenants file does', () => {
    const [tenant] = tenantsOf(environment);
    expect(environment).toMatchObject({
      TENANT: tenant?.id,
      CONTRACT_ACCOUNT_ID: tenant?.contractAccountId,
      PLATFORM_USERNAME: tenant?.platform.username,
      SANDBOX_URL: tenant?.platform.baseUrl,
    });
  });
});

describe('the tenants file of docker-compose.yml', () => {
  it('is taken by the reader of the apps, and has defaults for products and SKUs', () => {
    const tenants = tenantsOf(services['catalog-publisher']?.environment ?? {});
    expect(tenants.map(({ catalog }) => Object.keys(catalog.defaults))).toEqual([['product', 'sku']]);
  });
});

/** Reads the tenants file as an app with these variables does, with a value for each secret. */
function tenantsOf(environment: Record<string, string>) {
  const filled = Object.keys(environment).map((name) => [name, `${name}-of-24-characters-or-more`]);
  return loadTenants(join(root, 'infra/compose/tenants.yaml'), Object.fromEntries(filled), ['platform']);
}

describe('the Dockerfile', () => {
  const dockerfile = read('infra/Dockerfile');

  it('asks a health route that apps have', () => {
    expect(dockerfile).toContain('/health/ready');
    const controller = read('packages/service-kit/src/health/health.controller.ts');
    expect(controller).toContain("@Controller('health')");
    expect(controller).toContain("@Get('ready')");
  });

  it('installs only packages of package-lock.json, and runs as an unprivileged user', () => {
    const fetches = Array.from(
      dockerfile.matchAll(/\b(npx|npm|yarn|pnpm|curl|wget|apt-get) .*?(?=&&|$)/gm),
      ([line]) => line,
    );
    expect(fetches.filter((line) => !/^(npm (ci|pkg|sbom) |npx --no-install )/.test(line))).toEqual([]);
    expect(fetches.filter((line) => line.startsWith('npm ci '))).toHaveLength(3);
    expect(dockerfile).toMatch(/^USER node$/m);
  });
});
