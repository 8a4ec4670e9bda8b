import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '@gondola/local-stack/free-port';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import type { SupervisedProcess } from '@gondola/local-stack/process-supervisor';
import { startUntilReady, stopWithin } from '@gondola/local-stack/ready-process';
import { temporaryFolder } from '@gondola/local-stack/testing/temporary-folder';
import { Agent, request } from 'undici';
import type { Resource } from './render-chart.ts';

const NAMESPACE = 'chart';
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), '.cache/gondola/bin')];
const ETCD = programOf('etcd');
const API_SERVER = programOf('kube-apiserver');

/** Whether both programs are on this machine; `npm run api-server -w infra` builds them. */
export const hasApiServer = ETCD !== null && API_SERVER !== null;

/** An API server of Kubernetes with an empty namespace, and no node that runs anything. */
export interface ApiServer extends AsyncDisposable {
  /** The server's reason to refuse an object, or null if it would create it. It stores nothing. */
  refusalOf(resource: Resource): Promise<string | null>;
}

/** Starts etcd and kube-apiserver, with all they write in a temporary folder. Throws like `startUntilReady`. */
export async function startApiServer(): Promise<ApiServer> {
  const stack = new AsyncDisposableStack();
  try {
    const { path } = stack.use(await temporaryFolder());
    const etcd = await startEtcd(path);
    stack.defer(() => end(etcd.process));
    const { process: server, call } = await startServer(path, etcd.url);
    stack.defer(() => end(server));
    await createNamespace(call);
    return {
      refusalOf: (resource) => refusal(call, resource),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<{ status: number; body: Answer }>;
interface Answer {
  readonly message?: string;
  readonly resources?: readonly { readonly kind: string; readonly name: string }[];
}

async function startEtcd(folder: string) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = ['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--listen-peer-urls', 'http://127.0.0.1:0'];
  const process_ = await startUntilReady({
    name: 'etcd',
    order: orderOf(ETCD!, [...args, '--listen-client-urls', url, '--advertise-client-urls', url], folder),
    isReady: async () => (await fetch(`${url}/health`)).ok,
  });
  return { process: process_, url };
}

async function startServer(folder: string, etcd: string) {
  const port = await freePort();
  const token = randomUUID();
  const [tokens, key] = [join(folder, 'tokens.csv'), join(folder, 'accounts.pem')];
  await writeFile(tokens, `${token},tester,tester\n`);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const options = {
    'etcd-servers': etcd,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': port,
    'cert-dir': folder,
    'token-auth-file': tokens,
    'authorization-mode': 'AlwaysAllow',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-signing-key-file': key,
    'service-account-key-file': key,
    'service-cluster-ip-range': '10.0.0.0/24',
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const call = callerOf(`https://127.0.0.1:${port}`, token, join(folder, 'apiserver.crt'));
  const process_ = await startUntilReady({
    name: 'kube-apiserver',
    order: orderOf(API_SERVER!, args, folder),
    isReady: async () => (await call('GET', '/readyz')).status === 200,
  });
  return { process: process_, call };
}

/** Calls that trust only the certificate that the server makes for itself at its start. */
function callerOf(origin: string, token: string, certificate: string): Call {
  return async (method, path, body) => {
    const dispatcher = new Agent({ connect: { ca: await readFile(certificate) } });
    try {
      const answer = await request(`${origin}${path}`, {
        dispatcher,
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: text.startsWith('{') ? (JSON.parse(text) as Answer) : {} };
    } finally {
      await dispatcher.close();
    }
  };
}

async function refusal(call: Call, resource: Resource): Promise<string | null> {
  const group = groupOf(resource);
  const { body: known } = await call('GET', group);
  const name = known.resources?.find(({ kind }) => kind === resource.kind)?.name;
  if (name === undefined) return `${resource.apiVersion} has no ${resource.kind}`;
  const path = `${group}/namespaces/${NAMESPACE}/${name}?dryRun=All&fieldValidation=Strict`;
  const { status, body } = await call('POST', path, resource);
  return status === 201 ? null : (body.message ?? `The API server answered ${status}`);
}

async function createNamespace(call: Call): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  const { status, body } = await call('POST', '/api/v1/namespaces', namespace);
  if (status !== 201) throw new Error(`The namespace was not created: ${body.message}`);
}

function groupOf({ apiVersion }: Resource): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

function orderOf(command: string, args: string[], folder: string) {
  return { command, args, env: hostEnvironment(), cwd: folder, logFile: join(folder, 'server.log') };
}

async function end(running: SupervisedProcess): Promise<void> {
  await stopWithin(running, 'SIGTERM');
}

function programOf(name: string): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}
