import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type ApiServer, hasApiServer, startApiServer } from './testing/api-server.ts';
import { CHART, exampleOfDocument, hasHelm, LONGEST_RELEASE, rendered, type Resource } from './testing/render-chart.ts';

const byApiServer = hasHelm && hasApiServer ? describe : describe.skip;

byApiServer('the chart, by an API server (skipped without helm, kube-apiserver or etcd)', () => {
  let server: ApiServer;

  beforeAll(async () => {
    server = await startApiServer();
  });

  afterAll(async () => server[Symbol.asyncDispose]());

  it.each([
    ['its defaults', {}, 'shop'],
    ['the example of docs/running.md', exampleOfDocument(), 'shop'],
    ['all that Kubernetes has of its own switched on', allSwitchedOn(), 'shop'],
    ['the longest name of a release', {}, LONGEST_RELEASE],
  ])('is taken with %s', async (_which, values, release) => {
    expect(await refusalsOf(server, rendered(values, release))).toEqual([]);
  });

  it('would not be taken with an empty peer, nor with a field that Kubernetes does not know', async () => {
    const policy = rendered<Resource & { spec: object }>({}).find(({ kind }) => kind === 'NetworkPolicy')!;
    const spoilt = (spec: object) => server.refusalOf({ ...policy, spec: { ...policy.spec, ...spec } } as Resource);
    expect(await spoilt({ ingress: [{ from: [{}] }] })).toContain('must specify a peer');
    expect(await spoilt({ ingres: [] })).toContain('unknown field');
  });
});

async function refusalsOf(server: ApiServer, resources: readonly Resource[]): Promise<string[]> {
  const refusals = await Promise.all(resources.map((resource) => server.refusalOf(resource)));
  return refusals.filter((refusal) => refusal !== null);
}

/** A network policy's lists filled, and autoscaling where an app has it. */
function allSwitchedOn(): object {
  const { apps } = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as { apps: Record<string, object> };
  const scaled = Object.keys(apps).filter((app) => 'autoscaling' in apps[app]!);
  const peers = [
    { podSelector: { matchLabels: { app: 'ingress' } }, namespaceSelector: {} },
    { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
  ];
  return {
    image: { registry: 'registry.example.com/gondola', pullSecrets: [{ name: 'registry' }] },
    tenants: { secret: 'gondola-tenants', files: 'gondola-files' },
    networkPolicy: { ingressPeers: peers, uploadPeers: peers, operationsPeers: peers },
    apps: Object.fromEntries(scaled.map((name) => [name, { replicas: 2, autoscaling: { enabled: true } }])),
  };
}
