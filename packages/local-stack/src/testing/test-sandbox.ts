import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWER_LIMIT_MS } from '../wait-for.ts';
import { type AppProcess, type AppProcessOptions, startAppProcess } from './app-process.ts';

const SOURCES = join(import.meta.dirname, '../../../../apps/platform-sandbox');

/** The platform sandbox as a process; other workspaces must not import it. */
export function startSandboxProcess({ env, logFile }: Omit<AppProcessOptions, 'folder'>): Promise<AppProcess> {
  return startAppProcess({ folder: SOURCES, env: { LOG_LEVEL: 'warn', ...env }, logFile });
}

/** Credentials of a shop of the sandbox. */
export interface SandboxMerchant {
  readonly contractAccountId: string;
  readonly username: string;
  readonly password: string;
}

/** The sandbox as a process with a folder of its own, its admin API, and the API of its merchants. */
export class TestSandbox {
  private process!: AppProcess;
  private readonly folder: string;
  private readonly env: Record<string, string>;

  private constructor(folder: string, env: Record<string, string>) {
    this.folder = folder;
    this.env = env;
  }

  /**
   * @param env settings of the sandbox
   * @param isDurable true: its data outlive a `restart`
   */
  static async start(label: string, env: Record<string, string> = {}, isDurable = false): Promise<TestSandbox> {
    const folder = await mkdtemp(join(tmpdir(), `gondola-${label}-`));
    const sandbox = new TestSandbox(folder, { ...env, ...(isDurable && { DATA_DIR: join(folder, 'data') }) });
    await sandbox.run();
    return sandbox;
  }

  /** At a new port after each restart. */
  get url(): string {
    return this.process.url;
  }

  /** Folder of a durable sandbox's journal. */
  get dataDir(): string {
    return join(this.folder, 'data');
  }

  /** Kills it and starts it again. */
  async restart(): Promise<void> {
    await this.process.kill();
    await this.run();
  }

  async close(): Promise<void> {
    await this.process.stop();
    await rm(this.folder, { recursive: true });
  }

  /** Null: an empty answer. Undefined: what a GET asks for is not there. */
  async admin(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.url}/admin${path}`, init);
    const text = await response.text();
    if (method === 'GET' && response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${method} /admin${path} was answered ${response.status}: ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  }

  /** Opens an empty shop, whose key of the core service is its account. */
  async open({ contractAccountId, username, password }: SandboxMerchant): Promise<void> {
    await this.admin('POST', '/tenants', { contractAccountId, username, password, apiKey: contractAccountId });
  }

  /** A merchant's call of the platform's API. */
  async call(merchant: SandboxMerchant, method: string, path: string, body?: unknown): Promise<Response> {
    const { contractAccountId, username, password } = merchant;
    const headers = {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'x-contractAccountId': contractAccountId,
      'content-type': 'application/json',
    };
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok || response.status === 404) return response;
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  }

  /** Each fault strikes once unless it says otherwise. */
  async fault(...faults: readonly object[]): Promise<void> {
    await this.admin(
      'POST',
      '/faults',
      faults.map((fault) => ({ times: 1, ...fault })),
    );
  }

  /** Waits until the sandbox has nothing to do and all webhooks are delivered. */
  async idle(): Promise<void> {
    await this.admin('POST', '/idle', { timeoutMs: ANSWER_LIMIT_MS });
  }

  private async run(): Promise<void> {
    this.process = await startSandboxProcess({ logFile: join(this.folder, 'sandbox.log'), env: this.env });
  }
}
