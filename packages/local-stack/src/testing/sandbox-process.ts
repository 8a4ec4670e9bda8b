import { join } from 'node:path';
import { type AppProcess, startAppProcess } from './app-process.ts';

const FOLDER = join(import.meta.dirname, '../../../../apps/platform-sandbox');

export interface SandboxProcessOptions {
  /** A sandbox that is started again with the same folder continues with its data; absent: they end with it. */
  dataDir?: string;
  logFile: string;
  /** Overrides the settings above. */
  env?: Record<string, string>;
}

/** The platform sandbox as a process of its own: other workspaces must not import it. Its port is new at each start. */
export function startSandboxProcess({ dataDir, logFile, env = {} }: SandboxProcessOptions): Promise<AppProcess> {
  const settings = { LOG_LEVEL: 'warn', ...(dataDir !== undefined && { DATA_DIR: dataDir }) };
  return startAppProcess({ folder: FOLDER, env: { ...settings, ...env }, logFile });
}
