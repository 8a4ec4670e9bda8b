import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { CHART_APPS } from './chart-values.ts';
import { exampleOfDocument, hasHelm, rendered, type Resource } from './testing/render-chart.ts';

interface Rule {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly ports?: unknown;
}
interface Policy extends Resource {
  readonly spec: {
    readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[] | null;
    readonly egress?: readonly Rule[] | null;
  };
}

/** Each takes a while to render. */
const RUNS = 15;
const DNS = [
  { port: 53, protocol: 'UDP' },
  { port: 53, protocol: 'TCP' },
];

const label = fc.constantFrom('ingress-nginx', 'monitoring', 'erp');
const selector = fc.oneof(
  fc.constant({}),
  label.map((name) => ({ matchLabels: { name } })),
);
const peer = fc.oneof(
  fc.record({ podSelector: selector }),
  fc.record({ namespaceSelector: selector }),
  fc.record({ podSelector: selector, namespaceSelector: selector }),
  fc.constant({ ipBlock: { cidr: '0.0.0.0/0' } }),
  fc.constant({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }),
);
const peers = fc.array(peer, { maxLength: 3 });
const ports = fc.array(fc.integer({ min: 1, max: 65_535 }), { maxLength: 3 });
const networkPolicy = fc.record({
  ingressPeers: peers,
  uploadPeers: peers,
  operationsPeers: peers,
  ports: fc.record({ kafka: ports, postgres: ports, platform: ports, sftp: ports, traces: ports }),
});

const byHelm = hasHelm ? describe : describe.skip;

byHelm('the network policies of the chart (skipped without helm)', () => {
  it.each([
    ['the defaults', {}],
    ['the example of docs/running.md', exampleOfDocument()],
  ])('have no peer that the API server refuses, and no rule for everybody by mistake, with %s', (_which, values) => {
    const policies = policiesOf(values);
    expect(policies).not.toEqual([]);
    expect(policies.flatMap(faultsOf)).toEqual([]);
  });

  it('have neither with any lists of peers and ports, and let in exactly the peers of the lists', () => {
    fc.assert(
      fc.property(networkPolicy, (lists) => {
        const policies = policiesOf({ networkPolicy: lists });
        expect(policies.flatMap(faultsOf)).toEqual([]);
        const { ingressPeers, uploadPeers, operationsPeers } = lists;
        const door = (app: string, port: number) => admittedTo(policies, `shop-${app}`, port);
        expect(door('webhook-ingest', 8081)).toEqual(ingressPeers);
        expect(door('console', 8085)).toEqual(ingressPeers);
        expect(door('file-gateway', 8082)).toEqual(uploadPeers);
        expect(door('catalog-publisher', 8084)).toEqual([]);
        expect(door('catalog-publisher', 9084)).toEqual([console_(), ...operationsPeers]);
        expect(door('console', 9085)).toEqual(operationsPeers);
        expect(portsOf(policies, 'shop-catalog-publisher')).toEqual(
          new Set([...lists.ports.postgres, ...lists.ports.platform, ...lists.ports.traces, ...lists.ports.kafka]),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('let pods of the cluster alone use webhook and console, and the console alone the operations APIs', () => {
    const policies = policiesOf({});
    const cluster = [{ namespaceSelector: {} }];
    expect(admittedTo(policies, 'shop-webhook-ingest', 8081)).toEqual(cluster);
    expect(admittedTo(policies, 'shop-console', 8085)).toEqual(cluster);
    expect(admittedTo(policies, 'shop-file-gateway', 8082)).toEqual(cluster);
    for (const [app, port] of [
      ['webhook-ingest', 9081],
      ['order-command-handler', 9083],
    ] as const) {
      expect(admittedTo(policies, `shop-${app}`, port)).toEqual([console_()]);
    }
  });

  it('let the jobs that migrate reach PostgreSQL and DNS, and nobody reach them, from before they begin', () => {
    const resources = rendered<Policy & { spec: { template: { metadata: Resource['metadata'] } } }>({
      networkPolicy: { ports: { postgres: [5432, 6432] } },
    });
    const jobs = resources.filter(({ kind }) => kind === 'Job');
    expect(jobs).toHaveLength(CHART_APPS.length);
    for (const job of jobs) {
      const own = resources.filter(({ kind, spec }) => kind === 'NetworkPolicy' && selects(spec, podLabels(job)));
      expect(own).toHaveLength(1);
      const { metadata, spec } = own[0]!;
      expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(spec.ingress ?? []).toEqual([]);
      expect(spec.egress).toEqual([{ ports: DNS }, { ports: [{ port: 5432 }, { port: 6432 }] }]);
      // Hooks come before everything else of a release, in the order of their weights, 0 without one.
      expect(metadata.annotations?.['helm.sh/hook']).toBe(job.metadata.annotations?.['helm.sh/hook']);
      expect(Number(metadata.annotations?.['helm.sh/hook-weight'])).toBeLessThan(0);
    }
    const pods = resources.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
    expect(pods).toHaveLength(CHART_APPS.length);
    for (const pod of pods) {
      const own = resources.filter(({ kind, spec }) => kind === 'NetworkPolicy' && selects(spec, podLabels(pod)));
      expect(own.map(({ metadata }) => metadata.name)).toEqual([pod.metadata.name]);
    }
  });

  it.each([
    ['an empty peer', [{}]],
    ['an address beside a selector', [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }]],
    ['an address block without its addresses', [{ ipBlock: {} }]],
    ['a selector of another name', [{ nameSpaceSelector: {} }]],
    ['no list', { podSelector: {} }],
  ])('are not rendered from %s, whatever list it is in', (_what, list) => {
    for (const name of ['ingressPeers', 'uploadPeers', 'operationsPeers']) {
      expect(() => policiesOf({ networkPolicy: { [name]: list } })).toThrow(`networkPolicy.${name}`);
    }
  });
});

function policiesOf(values: object): Policy[] {
  return rendered<Policy>(values).filter(({ kind }) => kind === 'NetworkPolicy');
}

/** Faults of a policy's rules: a list that is there and empty admits everybody, as if it were not there. */
function faultsOf({ metadata, spec }: Policy): string[] {
  const rules = [...(spec.ingress ?? []), ...(spec.egress ?? [])];
  return rules.flatMap((rule) => {
    const lists = (['from', 'to', 'ports'] as const).filter((name) => name in rule);
    const empty = lists.filter((name) => !isFilled(rule[name])).map((name) => `${metadata.name}: empty ${name}`);
    const unknown = [rule.from, rule.to]
      .filter(isFilled)
      .flat()
      .filter((each) => !isPeer(each));
    const open = lists.includes('ports') ? [] : [`${metadata.name}: a rule for all ports`];
    return [...empty, ...open, ...unknown.map((each) => `${metadata.name}: ${JSON.stringify(each)} is no peer`)];
  });
}

function isFilled(list: unknown): list is unknown[] {
  return Array.isArray(list) && list.length > 0;
}

/** Whether a peer has a selector, or an address block alone. */
function isPeer(each: unknown): boolean {
  if (typeof each !== 'object' || each === null) return false;
  const names = Object.keys(each).toSorted().join();
  return ['ipBlock', 'namespaceSelector', 'namespaceSelector,podSelector', 'podSelector'].includes(names);
}

/** Peers that a policy lets in by a port. */
function admittedTo(policies: readonly Policy[], policy: string, port: number): unknown[] {
  const { spec } = policies.find(({ metadata }) => metadata.name === policy)!;
  const rules = (spec.ingress ?? []).filter(({ ports }) =>
    (ports as { port: number }[]).some((at) => at.port === port),
  );
  return rules.flatMap(({ from }) => (isFilled(from) ? from : ['everybody']));
}

/** Ports beside those of DNS that a policy lets its pods reach. */
function portsOf(policies: readonly Policy[], policy: string): Set<number> {
  const { spec } = policies.find(({ metadata }) => metadata.name === policy)!;
  const listed = (spec.egress ?? []).flatMap(({ ports }) => ports as { port: number; protocol?: string }[]);
  return new Set(listed.filter(({ protocol }) => protocol === undefined).map(({ port }) => port));
}

function console_() {
  const labels = { 'app.kubernetes.io/name': 'console', 'app.kubernetes.io/instance': 'shop' };
  return { podSelector: { matchLabels: { ...labels, 'app.kubernetes.io/part-of': 'gondola' } } };
}

function podLabels(workload: { readonly spec: { readonly template: { readonly metadata: Resource['metadata'] } } }) {
  return workload.spec.template.metadata.labels;
}

function selects({ podSelector }: Policy['spec'], labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(podSelector.matchLabels).every(([name, value]) => labels[name] === value);
}
