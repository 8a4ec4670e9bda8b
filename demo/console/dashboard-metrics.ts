import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppName, APPS, type Gondola, ROOT } from '../play/gondola.ts';

const FOLDER = join(ROOT, 'infra/grafana');

/** Metrics of dashboards that have no sample after the day, each with what makes one. */
export const SHOWN_LATER: Readonly<Record<string, string>> = {
  gondola_catalog_load_records: 'a load under way',
  gondola_catalog_load_remaining_seconds: 'a load under way',
  gondola_catalog_report_anomalies_total: 'a report of the platform that does not add up',
  gondola_certificate_expiry_timestamp_seconds: 'TLS, which the sandbox does not speak',
  gondola_clock_lead_seconds: 'a read of an order, of which the day needs none',
  gondola_lanes_ready: 'work that waits for a worker',
  gondola_lanes_ready_oldest_age_seconds: 'work that waits for a worker',
  gondola_open_oldest_age_seconds: 'a command or record without a final result',
  gondola_orders_needing_attention: 'an order that needs somebody',
  gondola_orders_needing_attention_oldest_age_seconds: 'an order that needs somebody',
  gondola_partition_paused: 'a partition that waited for PostgreSQL once',
  gondola_platform_pause_age_seconds: 'an open circuit breaker',
  gondola_quarantine_open: 'a notification that was not understood',
  gondola_records_dead_lettered_total: 'a record that cannot be used',
  gondola_sftp_blocked: 'a session with an SFTP server that failed',
};

/** Names of the metrics that the queries of the dashboards read. */
export async function metricsOfDashboards(): Promise<Set<string>> {
  const files = await readdir(FOLDER);
  const texts = await Promise.all(files.map((file) => readFile(join(FOLDER, file), 'utf8')));
  const names = texts.flatMap((text) => {
    const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    return queries.flatMap((query) => query.match(/\b(?:gondola|process|nodejs)_\w+/g) ?? []);
  });
  return new Set(names);
}

/** Names of the metrics of which an app of Gondola shows a sample now. */
export async function sampledMetrics({ urls }: Pick<Gondola, 'urls'>): Promise<Set<string>> {
  const apps = APPS.filter((app: AppName) => app !== 'platform-sandbox');
  const shown = await Promise.all(apps.map(async (app) => (await fetch(`${urls[app]}/metrics`)).text()));
  return new Set(shown.flatMap((text) => text.match(/^\w+(?=[ {])/gm) ?? []));
}
