import { z } from 'zod';
import type { AppName } from '../operations-apis/app-name.ts';

/** The answers of an app's `/health/ready` and `/api/info`. */
export interface AppLook {
  readonly state: 'ready' | 'not-ready' | 'away';
  /** Each required check of `/health/ready`, and whether it passes. */
  readonly checks: Readonly<Record<string, boolean>>;
  /** Null if the app does not say it. */
  readonly version: string | null;
}

export interface AppState extends AppLook {
  readonly app: AppName;
  /** Time at which this console first saw the state, ISO 8601. */
  readonly since: string;
}

const readiness = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), required: z.boolean() })),
});
const info = z.object({ version: z.string() });

interface Answered {
  readonly status: number;
  readonly content: unknown;
}

/** Reads both answers; null stands for an app that gave none. */
export function readLook(ready: Answered | null, about: Answered | null): AppLook {
  const { data: report } = readiness.safeParse(ready?.content);
  const { data: known } = info.safeParse(about?.content);
  const version = known?.version ?? null;
  if (report === undefined) return { state: 'away', checks: {}, version };
  const required = Object.entries(report.checks).filter(([, check]) => check.required);
  return {
    state: report.status === 'ready' ? 'ready' : 'not-ready',
    checks: Object.fromEntries(required.map(([name, { ok }]) => [name, ok])),
    version,
  };
}
