import { basename } from 'node:path';
import { type ChildApp, FROM_SOURCES, startChildApp } from '../child-app.ts';
import { freePort } from '../free-port.ts';
import { LocalStackError } from '../local-stack-error.ts';

/** An app as a process of its own. */
export interface AppProcess extends ChildApp {
  readonly url: string;
}

export interface AppProcessOptions {
  /** Folder of the app. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

const PORT_ATTEMPTS = 5;

/**
 * Starts an app from its sources, and returns when it is ready. Another process may take the free port before the app
 * listens on it: then the start is tried with another port. Throws like `startChildApp`.
 */
export async function startAppProcess({ folder, env, logFile }: AppProcessOptions): Promise<AppProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    try {
      const child = await startChildApp({
        name: basename(folder),
        args: FROM_SOURCES,
        cwd: folder,
        env: { ...env, HTTP_PORT: String(port) },
        logFile,
        readyUrl: `${url}/health/ready`,
      });
      return { ...child, url };
    } catch (error) {
      const isPortTaken = error instanceof LocalStackError && error.code === 'PORT_TAKEN';
      if (!isPortTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}
