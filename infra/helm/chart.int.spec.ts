import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { CHART_APPS, fileGatewayBytes, SECRET, valuesSchema, variablesOf } from './chart-values.ts';
import { CHART, hasHelm, helm, LEAST, LONGEST_RELEASE, rendered, type Resource } from './testing/render-chart.ts';

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly securityContext: object;
}
interface Pod {
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly containers: [Container];
    readonly securityContext: object;
    readonly volumes: readonly { readonly name: string; readonly emptyDir?: { readonly sizeLimit?: string } }[];
  };
}
interface ChartResource extends Resource {
  readonly spec: { readonly template: Pod; readonly groups: unknown };
}

/** It has the schemas of Kubernetes inside; `.ci/run` installs it where an index of packages can be reached. */
const VALIDATORS = [
  'kubernetes-validate',
  join(homedir(), '.cache/gondola/kubernetes-validate/bin/kubernetes-validate'),
];
const validator = VALIDATORS.find((program) => spawnSync(program, ['--version']).error === undefined);
const byHelm = hasHelm ? describe : describe.skip;
const bySchemas = validator === undefined ? describe.skip : byHelm;

const MOST_SPARE = 1.1;

const chart = (values: object) => rendered<ChartResource>(values);

const workloads = (resources: readonly ChartResource[]) =>
  resources.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');

describe('the schema of the chart’s values', () => {
  it('knows the variables that the apps read: else run `npm run chart -w infra`', async () => {
    const written: unknown = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'));
    expect(written).toEqual(await valuesSchema());
  });
});

describe('the memory of file-gateway in the chart', () => {
  it('has room for the app and its decoders at their limits, with the defaults, and changes with them', async () => {
    const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as {
      apps: Record<string, { env: object; resources: { limits: { memory: string } } }>;
    };
    const { env, resources } = values.apps['file-gateway']!;
    const [, mebibytes] = /^(\d+)Mi$/.exec(resources.limits.memory) ?? [];
    const limitBytes = Number(mebibytes) * 2 ** 20;
    expect(env).toEqual({});
    const taken = await fileGatewayBytes();
    expect(limitBytes).toBeGreaterThan(taken);
    // A limit that is far above says nothing any more.
    expect(limitBytes).toBeLessThan(taken * MOST_SPARE);
  });
});

byHelm('the chart, by helm (skipped without it)', () => {
  let resources: ChartResource[];

  beforeAll(() => {
    resources = chart({});
  });

  it('has no fault that helm finds', () => {
    expect(helm(['lint', '--strict'], LEAST)).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  it('deploys each app on its own, and leaves out what is not enabled', () => {
    expect(new Set(appsOf(resources))).toEqual(new Set(CHART_APPS));
    expect(appsOf(chart({ apps: { console: { enabled: false } } }))).not.toContain('console');
  });

  it('gives each object a name of its own that Kubernetes takes, however long the name of the release', () => {
    const names = rendered({}, LONGEST_RELEASE).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.split(' ')[1]!.length > 63)).toEqual([]);
  });

  it('creates the tables before each roll-out, and by no app', () => {
    const jobs = resources.filter(({ kind }) => kind === 'Job');
    expect(jobs).toHaveLength(CHART_APPS.length);
    for (const { spec } of jobs) expect(namesOf(spec.template)).not.toContain('MIGRATIONS');
    for (const { spec } of workloads(resources)) expect(valueOf(spec.template, 'MIGRATIONS')).toBe('off');
  });

  it('runs nothing as root, with nothing to write but its own folders and no capability', () => {
    for (const { spec } of resources.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))) {
      const { securityContext, containers } = spec.template.spec;
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('limits every folder that a pod may fill', () => {
    const pods = resources.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));
    const folders = pods.flatMap(({ metadata, spec }) =>
      spec.template.spec.volumes
        .filter(({ emptyDir }) => emptyDir !== undefined)
        .map(({ name, emptyDir }) => [`${metadata.name} ${name}`, emptyDir?.sizeLimit ?? 'no limit'] as const),
    );
    expect(folders).toHaveLength(pods.length);
    for (const [, limit] of folders) expect(limit).toMatch(/^\d+[MG]i$/);
  });

  it.each(CHART_APPS)('reaches every variable of %s by a value', async (app) => {
    const variables = (await variablesOf(app)).filter((name) => name !== 'HTTP_HOST');
    const { properties } = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as {
      properties: {
        apps: { properties: Record<string, { properties: { env: { propertyNames: { enum: string[] } } } }> };
      };
    };
    const plain = properties.apps.properties[app]!.properties.env.propertyNames.enum;
    const env = Object.fromEntries(plain.map((name) => [name, 'x']));
    const secrets = Object.fromEntries(
      variables.filter((name) => !plain.includes(name)).map((name) => [name, { name: 'one', key: 'of-it' }]),
    );
    const given = (values: object) =>
      workloads(chart({ apps: { [app]: values } })).find(({ metadata }) => metadata.name === `shop-${app}`)!;
    const names = namesOf(given({ env, secrets: pick(secrets, SECRET) }).spec.template);
    expect(variables.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['a variable that no app reads', { env: { KAFKA_BROKER: 'x' } }, 'KAFKA_BROKER'],
    ['a variable of another app', { apps: { console: { env: { SPOOL_MAX_BYTES: 1 } } } }, 'SPOOL_MAX_BYTES'],
    ['a secret in plain text', { env: { DATABASE_URL: 'postgres://…' } }, 'DATABASE_URL'],
    ['a key of Kafka in plain text', { env: { KAFKA_SSL_KEY: 'PEM' } }, 'KAFKA_SSL_KEY'],
    ['an app that does not exist', { apps: { 'order-handler': {} } }, 'order-handler'],
  ])('refuses %s', (_what, values, named) => {
    expect(() => chart(values)).toThrow(named);
  });

  it('takes the values of a small shop: one replica of each app', () => {
    const all = chart(smallShop());
    expect(new Set(appsOf(all))).toEqual(new Set(CHART_APPS));
    for (const { spec } of workloads(all)) expect(spec).toMatchObject({ replicas: 1 });
    const gateway = workloads(all).find(({ metadata }) => metadata.name === 'shop-file-gateway')!;
    expect(valueOf(gateway.spec.template, 'PICTURE_MAX_PIXELS')).toBe('16000000');
  });

  it('brings the alerts, and a scrape under the app’s name, where the Prometheus operator runs', () => {
    const all = chart({ monitoring: { serviceMonitor: true, prometheusRule: true } });
    const [monitor, rule] = ['ServiceMonitor', 'PrometheusRule'].map((kind) => all.find((each) => each.kind === kind));
    expect(monitor).toMatchObject({ spec: { jobLabel: 'app.kubernetes.io/name' } });
    const { groups } = parse(readFileSync(join(CHART, '../../alerts/gondola.yaml'), 'utf8')) as { groups: unknown };
    expect(rule?.spec.groups).toEqual(groups);
  });
});

bySchemas('the chart, by the schemas of Kubernetes (skipped without helm or kubernetes-validate)', () => {
  it('is what Kubernetes takes, also with all that can be switched on', () => {
    const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as { apps: Record<string, object> };
    const scaled = Object.entries(values.apps).filter(([, app]) => 'autoscaling' in app);
    expect(scaled).not.toEqual([]);
    const apps = Object.fromEntries(scaled.map(([name]) => [name, { autoscaling: { enabled: true } }]));
    const resources = chart({ apps });
    expect(resources.map(({ kind }) => kind)).toContain('HorizontalPodAutoscaler');
    expect(problemsOf(chart({}))).toBe('');
    expect(problemsOf(chart(smallShop()))).toBe('');
    expect(problemsOf(resources)).toBe('');
  });

  it('would not pass with a field that Kubernetes does not know', () => {
    const [first] = workloads(chart({}));
    const spoilt = { ...first!, spec: { ...first!.spec, replica: 2 } };
    expect(problemsOf([spoilt])).toContain('replica');
  });
});

/** The values of `small.yaml`. */
function smallShop(): object {
  return parse(readFileSync(join(CHART, 'small.yaml'), 'utf8')) as object;
}

/** Problems of resources in the words of the validator, which does not know those of the Prometheus operator. */
function problemsOf(resources: readonly ChartResource[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'gondola-chart-'));
  try {
    const file = join(folder, 'chart.json');
    writeFileSync(file, resources.map((resource) => `---\n${JSON.stringify(resource)}\n`).join(''));
    const { status, stdout, stderr } = spawnSync(validator!, ['--strict', '--quiet', file], { encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function appsOf(resources: readonly ChartResource[]): (string | undefined)[] {
  return workloads(resources).map(({ metadata }) => metadata.labels['app.kubernetes.io/name']);
}

function namesOf(pod: Pod): string[] {
  return pod.spec.containers[0].env.map(({ name }) => name);
}

function valueOf(pod: Pod, variable: string): string | undefined {
  return pod.spec.containers[0].env.find(({ name }) => name === variable)?.value;
}

function pick(values: Record<string, object>, names: RegExp): Record<string, object> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.test(name)));
}
