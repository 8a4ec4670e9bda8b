import { join } from 'node:path';
import { type ChildApp, FROM_SOURCES, startChildApp } from '../child-app.ts';
import { freePort } from '../free-port.ts';
import { LocalStackError } from '../local-stack-error.ts';

const SANDBOX_FOLDER = join(import.meta.dirname, '../../../../apps/platform-sandbox');
const PORTS_TO_TRY = 3;

export interface SandboxProcessOptions {
  /** A sandbox that is started again with the same folder continues with its data; absent: they end with it. */
  dataDir?: string;
  logFile: string;
  /** Overrides the settings above. */
  env?: Record<string, string>;
}

export interface SandboxProcess extends ChildApp {
  /** `http://127.0.0.1:<port>`, with a new port at each start. */
  readonly url: string;
}

/**
 * The platform sandbox in a separate process, started from its sources and ready. For tests and measurements of
 * other workspaces, which must not import it. Throws like `startChildApp`.
 */
export async function startSandboxProcess(options: SandboxProcessOptions): Promise<SandboxProcess> {
  const { dataDir, logFile, env = {} } = options;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = { HTTP_PORT: String(port), ...(dataDir !== undefined && { DATA_DIR: dataDir }) };
    try {
      const child = await startChildApp({
        name: 'platform-sandbox',
        args: FROM_SOURCES,
        cwd: SANDBOX_FOLDER,
        env: { ...settings, LOG_LEVEL: 'warn', ...env },
        logFile,
        readyUrl: `${url}/health/ready`,
      });
      return { ...child, url };
    } catch (error) {
      // Another process may have taken the port in the meantime.
      const isPortTaken = error instanceof LocalStackError && error.code === 'PORT_TAKEN';
      if (!isPortTaken || attempt === PORTS_TO_TRY) throw error;
    }
  }
}
