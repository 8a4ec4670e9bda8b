import { call } from '@gondola/web-kit/api/call';
import { queryOptions } from '@tanstack/react-query';

export const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway'] as const;
export type AppName = (typeof APPS)[number];

export interface AppOverview {
  readonly app: AppName;
  readonly state: 'ready' | 'not-ready' | 'away';
  readonly since: string | null;
  readonly checks: Readonly<Record<string, boolean>>;
  readonly version: string | null;
}

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => call<{ readonly apps: readonly AppOverview[] }>('/overview'),
});
