import { readFileSync } from 'node:fs';
import type { Health, StartableState, Phase } from './health.ts';

/** All workspaces are released together with one version. */
const VERSION = versionOf(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export interface AppInfoReport {
  name: string;
  version: string;
  phase: Phase;
  uptimeMs: number;
  startables: Record<string, StartableState>;
}

/** `GET /api/info`. */
export class AppInfo {
  readonly name: string;
  readonly version = VERSION;
  readonly #health: Health;

  constructor(name: string, health: Health) {
    this.name = name;
    this.#health = health;
  }

  report(): AppInfoReport {
    return {
      name: this.name,
      version: this.version,
      phase: this.#health.phase,
      uptimeMs: Math.round(process.uptime() * 1_000),
      startables: this.#health.startables(),
    };
  }
}

function versionOf(packageText: string): string {
  const { version } = JSON.parse(packageText) as { version?: unknown };
  return typeof version === 'string' ? version : '0.0.0';
}
