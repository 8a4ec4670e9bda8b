import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppProcess } from './app-process.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { ANSWER_LIMIT_MS } from '../wait-for.ts';

/** The platform sandbox as a process with a folder of its own, and its admin API. */
export class TestSandbox {
  private readonly process: AppProcess;
  private readonly folder: string;

  private constructor(process: AppProcess, folder: string) {
    this.process = process;
    this.folder = folder;
  }

  /** @param env settings of the sandbox */
  static async start(label: string, env: Record<string, string> = {}): Promise<TestSandbox> {
    const folder = await mkdtemp(join(tmpdir(), `gondola-${label}-`));
    const process = await startSandboxProcess({ logFile: join(folder, 'sandbox.log'), env });
    return new TestSandbox(process, folder);
  }

  get url(): string {
    return this.process.url;
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
}
