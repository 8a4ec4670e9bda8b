// Restarts the demo's apps: an app that dies is started again twice, then reported with the end of its log.
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { logSince, tailOf } from '@gondola/local-stack/log-tail';

export interface AppPlan {
  name: string;
  cwd: string;
  env: Record<string, string>;
  url: string;
  logFile: string;
}

const RESTARTS = 2;

export class Supervisor {
  private readonly running = new Map<string, { readonly plan: AppPlan; readonly app: ChildApp }>();
  private readonly starts = new Map<string, number>();
  private readonly onRestart: (line: string) => void;
  private readonly onGivenUp: (sentence: string) => void;
  private stopping = false;

  constructor(listener: { onRestart: (line: string) => void; onGivenUp: (sentence: string) => void }) {
    this.onRestart = listener.onRestart;
    this.onGivenUp = listener.onGivenUp;
  }

  /** Starts an app and returns when it is ready. */
  async start(plan: AppPlan): Promise<void> {
    const app = await startChildApp({
      name: plan.name,
      args: ['dist/main.js'],
      cwd: plan.cwd,
      env: plan.env,
      logFile: plan.logFile,
      readyUrl: `${plan.url}/health/ready`,
    });
    this.running.set(plan.name, { plan, app });
    void app.exited.then(() => this.afterDeath(plan, app));
    if (this.stopping) await app.stop();
  }

  /** Sends SIGKILL, for tests: the app is restarted. */
  async kill(name: string): Promise<void> {
    await this.running.get(name)?.app.kill();
  }

  /** Stops an app, for tests; the returned function starts it again. */
  async takeAway(name: string): Promise<() => Promise<void>> {
    const { plan, app } = this.running.get(name)!;
    this.running.delete(name);
    await app.stop();
    return () => this.start(plan);
  }

  /** Id of an app's process, while it runs. */
  pidOf(name: string): number | undefined {
    return this.running.get(name)?.app.pid;
  }

  isRunning(name: string): boolean {
    return this.running.has(name);
  }

  async stopAll(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.running.values()].map(({ app }) => app.stop()));
  }

  private async afterDeath(plan: AppPlan, app: ChildApp): Promise<void> {
    if (this.stopping || this.running.get(plan.name)?.app !== app) return;
    this.running.delete(plan.name);
    const deaths = (this.starts.get(plan.name) ?? 0) + 1;
    this.starts.set(plan.name, deaths);
    if (deaths > RESTARTS) return this.onGivenUp(await this.obituary(plan));
    this.onRestart(`${plan.name} ended by itself and is started again (${deaths} of ${RESTARTS})`);
    await this.start(plan).catch(async () => this.onGivenUp(await this.obituary(plan)));
  }

  private async obituary({ name, logFile }: AppPlan): Promise<string> {
    return `${name} does not stay up; the end of ${logFile}:\n${tailOf(await logSince(logFile, 0))}`;
  }
}
