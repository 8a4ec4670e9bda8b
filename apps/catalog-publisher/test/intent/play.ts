import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOG_TOPICS, type CatalogKind } from '../../src/records/catalog-kinds.ts';
import { CatalogInstallation } from '../support/catalog-app.ts';
import { CutLine } from '../support/cut-line.ts';
import { gondola as startGondola } from '../support/gondola-command.ts';
import { SandboxShop } from '../support/sandbox-shop.ts';
import type { Evidence, RecordEnd } from './judge.ts';
import { CALL_MS, type Gate, type Plan, type Step, type Weather } from './plan.ts';
import { type Content, POLICIES, type SentRecord } from './sent-record.ts';
import { shelfOf } from './shelf.ts';

const SETTLE_MS = 300;
/** Longer than any deadline, so that what waits for an unconfirmed record ends. */
const REFERENCES_MS = 40_000;
/** Exits of a command that saw the end of its load: all entered, or some did not. */
const SAW_THE_END = new Set<number | null>([0, 1]);

type Load = Extract<Step, { kind: 'load' }>;

/** A call of the sandbox's log. */
interface LoggedCall {
  readonly path: string;
  readonly operationId: string | null;
  readonly body: unknown;
}

/** Shops of the sandbox, each a tenant of one app with a plan of its own, in one weather. */
export class PlayedRun {
  readonly shops: readonly PlayedShop[];

  private constructor(
    private readonly gondola: CatalogInstallation,
    private readonly sandboxShop: SandboxShop,
    private readonly folder: string,
    plans: readonly Plan[],
  ) {
    this.shops = plans.map((plan) => new PlayedShop(gondola, sandboxShop, { folder, plan }));
  }

  static async start(label: string, plans: readonly Plan[]): Promise<PlayedRun> {
    const sandboxShop = await SandboxShop.start(label, (tenant, parts) => gondola.notify(tenant, parts));
    const folder = await mkdtemp(join(tmpdir(), `gondola-${label}-`));
    const tenants = plans.map((plan) => ({
      id: tenantOf(plan),
      deadlines: { settleMs: SETTLE_MS, commandMs: plan.deadlineMs, referencesMs: REFERENCES_MS },
      catalog: { commercialPolicies: POLICIES },
      profile: {
        warehouseFields: { id: '<WAREHOUSE>' },
        stockFields: { skuId: '<SKU_ID>', warehouseId: '<WAREHOUSE>' },
      },
    }));
    const env = { LOG_LEVEL: 'warn', PLATFORM_TIMEOUT_MS: String(CALL_MS), LANE_LEASE_MS: '60000' };
    const gondola = await CatalogInstallation.create(label, tenants, env, sandboxShop.sandbox.url);
    const { TEST_PLATFORM_PASSWORD: password = '' } = gondola.installation.env;
    for (const [tenant, contractAccountId] of gondola.accounts)
      await sandboxShop.open({ tenant, contractAccountId, username: `erp-${tenant}`, password });
    await gondola.startApp();
    await gondola.readTopics();
    return new PlayedRun(gondola, sandboxShop, folder, plans);
  }

  /** Plays all plans at once, waits until nothing is open any more, and returns to fair weather. */
  async play({ faults, outage, notifiesAll }: Weather): Promise<void> {
    const { sandbox } = this.sandboxShop;
    await sandbox.admin('POST', '/switches', { successEvents: notifiesAll ? 'notified' : 'none' });
    await sandbox.admin('POST', '/faults', faults);
    await Promise.all(this.shops.map((shop) => shop.create(outage === null ? null : 'ended')));
    if (outage !== null) await sandbox.admin('POST', '/faults', [outage]);
    await Promise.all(this.shops.map((shop) => shop.playAll()));
    await sandbox.admin('DELETE', '/faults');
    for (const shop of this.shops) await shop.ended();
    // Late calls are carried out, and what is notified of them is read.
    await sandbox.idle();
  }

  async close(): Promise<void> {
    await this.sandboxShop.close();
    await this.gondola.close();
    await rm(this.folder, { recursive: true });
  }
}

/** One shop, and all that was sent to it. */
export class PlayedShop {
  readonly tenant: string;
  /** In the order in which Gondola took them in. */
  readonly #records: SentRecord[] = [];
  readonly #loads: Promise<void>[] = [];
  readonly #runsOf = new Map<number, { lastTaken: number; sawTheEnd: boolean }>();
  /** Contradictions about loads. */
  readonly problems: string[] = [];

  constructor(
    private readonly gondola: CatalogInstallation,
    private readonly shop: SandboxShop,
    private readonly given: { readonly folder: string; readonly plan: Plan },
  ) {
    this.tenant = tenantOf(given.plan);
  }

  /** Sends the first records of all entities; `until` null: as far as the plan says. */
  async create(until: Gate | null): Promise<void> {
    const { creations } = this.given.plan;
    await this.send(creations.records, until ?? creations.until);
  }

  async playAll(): Promise<void> {
    const { plan, folder } = this.given;
    for (const [place, { records }] of plan.files.entries())
      await writeFile(join(folder, this.#fileName(place)), records.map((each) => JSON.stringify(each)).join('\n'));
    for (const step of plan.steps) {
      if (step.kind === 'load') {
        await this.#load(step);
        continue;
      }
      if (step.isAlone === true) {
        await Promise.all(this.#loads);
        await this.ended();
      }
      await this.send(step.records, step.until);
    }
    await Promise.all(this.#loads);
  }

  /** Sends records to their topics, in their order for each entity. */
  async send(records: readonly SentRecord[], until: Gate): Promise<void> {
    for (const [kind, its] of Map.groupBy(records, (record) => record.kind)) {
      const headers = { ce_tenant: this.tenant };
      await this.gondola.produceTo(
        CATALOG_TOPICS[kind],
        ...its.map(({ content, reference }) => ({ key: reference, value: content, headers })),
      );
    }
    this.#records.push(...records);
    await this.#until(records, 'taken');
    await this.#until(records, until);
  }

  /** Waits until each record has its outcome. */
  async ended(): Promise<void> {
    await this.#until(this.#records, 'ended');
  }

  async evidence(): Promise<Evidence> {
    const records = [...this.#records];
    return {
      records,
      ends: this.#ends(),
      shop: await shelfOf(this.shop, this.tenant, this.gondola.accounts.get(this.tenant)!),
    };
  }

  /** Calls that name one of these references, each with the time at which the core had taken all of it. */
  async callsAbout(references: readonly string[]): Promise<object[]> {
    const { sandbox } = this.shop;
    const query = `contractAccountId=${this.gondola.accounts.get(this.tenant)}&limit=5000`;
    const operations = (await sandbox.admin('GET', `/operations?${query}`)) as {
      operationId: string;
      endedAt: string;
    }[];
    const endOf = new Map(operations.map(({ operationId, endedAt }) => [operationId, endedAt]));
    const calls = (await sandbox.admin('GET', `/requests?${query}`)) as LoggedCall[];
    return calls
      .filter(({ path, body }) => references.some((each) => `${path}${JSON.stringify(body)}`.includes(each)))
      .map((call) => ({ ...call, takenAt: endOf.get(call.operationId ?? '') ?? null }));
  }

  /** All outcomes so far; a correction is the last word. */
  #ends(): ReadonlyMap<string, RecordEnd> {
    const finals = this.gondola
      .results()
      .filter(({ value }) => value['tenant'] === this.tenant && value['final'] === true);
    return new Map(
      finals.map(({ value }) => {
        const { commandId, outcome, correctedOutcome = outcome, reason, errors = [] } = value;
        const codes = [reason, ...(errors as unknown[])].flatMap(
          (each) => (each as { code: string } | null)?.code ?? [],
        );
        return [String(commandId), { outcome: String(correctedOutcome), codes: [...new Set(codes)] }];
      }),
    );
  }

  async #until(records: readonly SentRecord[], gate: Gate): Promise<void> {
    const ids = records.map(({ id }) => id);
    if (gate === 'ended') {
      await this.gondola.until(() => {
        const ends = this.#ends();
        const open = ids.filter((id) => !ends.has(id));
        if (open.length > 0) throw new Error(`${this.tenant}: no outcome yet of ${open.join(', ')}`);
        return true;
      });
      return;
    }
    // A record that waits for its references is not called before they are known.
    const isDone = gate === 'taken' ? 'true' : "attempts > 0 OR state <> 'open' OR is_waiting";
    const wanted = new Set(ids).size;
    await this.gondola.until(async () => {
      const text = `SELECT 1 FROM commands WHERE tenant = $1 AND command_id = ANY ($2) AND (${isDone})`;
      return (await this.gondola.query(text, [this.tenant, ids])).length >= wanted;
    });
  }

  #fileName(place: number): string {
    return `${this.tenant}-${place}.jsonl`;
  }

  /** One run of the command line; returns once the file is handed over, the command was killed, or it has ended. */
  async #load({ file, kill, waits }: Load): Promise<void> {
    const { plan, folder } = this.given;
    const { kind, records } = plan.files[file]!;
    const isWhole = this.#mustBeWhole(file, kind);
    const line = await CutLine.start(() => this.gondola.installation.running.url);
    const args = ['catalog', 'load', join(folder, this.#fileName(file)), '--kind', kind, '--tenant', this.tenant];
    const command = startGondola(line.url, ...args);
    if (kill !== null) {
      line.onCut = () => command.kill('SIGKILL');
      line.cutAfter(kill.passed, kill.lost);
    }
    const run = { lastTaken: this.#runsOf.get(file)?.lastTaken ?? 0, hasEnded: false, sawTheEnd: false };
    this.#runsOf.set(file, run);
    const watch = async (): Promise<void> => {
      const { exit, stdout, stderr } = await command.ended;
      await line.stop();
      run.hasEnded = true;
      run.sawTheEnd = SAW_THE_END.has(exit);
      if (kill === null && !run.sawTheEnd) this.problems.push(`file ${file}: exit ${exit}: ${stdout}${stderr}`);
    };
    const watched = watch();
    this.#loads.push(watched);
    await this.gondola.until(() => run.hasEnded || (line.looked > 0 && kill === null));
    const taken = line.taken.flatMap(({ loadId, from, records: texts }) =>
      texts.map((text, index) => recordOf(kind, `load/${loadId}/${from + index}`, text)),
    );
    this.#records.push(...taken);
    if (taken.length > 0) run.lastTaken = this.#records.length;
    if (kill === null && isWhole && taken.length !== records.length)
      this.problems.push(`file ${file}: ${taken.length} of ${records.length} records were taken, and it was due whole`);
    if (waits) await watched;
  }

  /** True where the last run of a file ended, or another file of its kind was taken after it. */
  #mustBeWhole(file: number, kind: CatalogKind): boolean {
    const last = this.#runsOf.get(file);
    if (last === undefined || last.sawTheEnd) return true;
    return [...this.#runsOf].some(
      ([other, { lastTaken }]) => this.given.plan.files[other]!.kind === kind && lastTaken > last.lastTaken,
    );
  }
}

function recordOf(kind: CatalogKind, id: string, text: string): SentRecord {
  const content = JSON.parse(text) as Content;
  return { id, kind, reference: String(content['externalReference']), content };
}

function tenantOf({ seed }: Plan): string {
  return `shop-${seed}`;
}
