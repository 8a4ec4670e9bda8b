import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';

interface Alert {
  readonly labels: Readonly<Record<string, string>> & { readonly alertname: string };
  readonly state: 'pending' | 'firing';
}

interface Plan {
  /** Empty folder. */
  readonly folder: string;
  /** Address of the app of each job. */
  readonly targets: Readonly<Record<string, string>>;
  /** Text of the rule file. */
  readonly rules: string;
  readonly logFile: string;
}

/** A real Prometheus that scrapes every two seconds, and follows the rules every second. */
export class Prometheus {
  readonly #url: string;
  readonly #process: ChildApp;

  private constructor(url: string, running: ChildApp) {
    this.#url = url;
    this.#process = running;
  }

  static async start({ folder, targets, rules, logFile }: Plan): Promise<Prometheus> {
    const config = {
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
      rule_files: ['rules.yaml'],
      scrape_configs: Object.entries(targets).map(([job_name, url]) => ({
        job_name,
        static_configs: [{ targets: [new URL(url).host] }],
      })),
    };
    await writeFile(join(folder, 'rules.yaml'), rules);
    // YAML is JSON, too.
    await writeFile(join(folder, 'prometheus.yaml'), JSON.stringify(config));
    const address = `127.0.0.1:${await freePort()}`;
    const running = await startChildApp({
      name: 'prometheus',
      command: 'prometheus',
      args: [
        `--config.file=${join(folder, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
      ],
      cwd: folder,
      env: {},
      logFile,
      readyUrl: `http://${address}/-/ready`,
    });
    return new Prometheus(`http://${address}`, running);
  }

  /** Names of the alerts of a severity that fire now. */
  async firing(severity: 'page' | 'ticket'): Promise<string[]> {
    const { alerts } = await this.#ask<{ alerts: Alert[] }>('/api/v1/alerts');
    const firing = alerts.filter(({ state, labels }) => state === 'firing' && labels['severity'] === severity);
    return [...new Set(firing.map(({ labels }) => labels.alertname))].toSorted();
  }

  /** Names of the pages that have fired in the last seconds. */
  async pagesWithin(seconds: number): Promise<string[]> {
    const query = `count by (alertname) (max_over_time(ALERTS{alertstate="firing",severity="page"}[${seconds}s]))`;
    return (await this.#query(query)).map(({ metric }) => metric['alertname']!).toSorted();
  }

  /** Number of apps that answered the last scrape. */
  async scraped(): Promise<number> {
    const [sum] = await this.#query('sum(up)');
    return Number(sum?.value[1] ?? 0);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  async #query(query: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    const path = `/api/v1/query?query=${encodeURIComponent(query)}`;
    return (await this.#ask<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(path)).result;
  }

  async #ask<T>(path: string): Promise<T> {
    const answer = await fetch(this.#url + path);
    if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  }
}
