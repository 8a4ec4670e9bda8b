import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { logSince } from '@gondola/local-stack/log-tail';
import { spawnSupervised, type SupervisedProcess } from '@gondola/local-stack/process-supervisor';
import { median } from '@gondola/local-stack/testing/median';
import { peakBytes } from '@gondola/local-stack/testing/peak-memory';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type Gondola, ROOT } from '../play/gondola.ts';
import { loadCatalog } from '../play/day/load-the-shelf.ts';
import { publishPricesAndStock } from '../play/day/prices-and-stock.ts';
import { TENANT } from '../play/settings.ts';
import { testRun } from '../testing/test-run.ts';
import type { Door } from './testing/hostile-kinds.ts';
import { nothingTaken, OrdinaryWork, type Password, type Taken, TASKS } from './testing/ordinary-work.ts';
import type { Fates, Visit } from './testing/stranger.ts';

// A shop's ordinary work beside strangers. First they are at bare doors, for what they take from this one machine; then
// at each public port of the shop. How much slower this makes each task is printed, and checked where the strangers
// leave room on the machine: without it the time of each task is that for which it waits for a core.

const CONNECTIONS = 2_000;
const MINUTE_MS = 60_000;
/** Share of the machine that is idle while the strangers are at bare doors, from which times are checked. */
const ROOM = 0.25;
const MOST_SLOWER = 2;
const LONGEST_SIGN_IN_MS = 2_000;
/** Share of the connections, in this share of the minute, that are at bare doors. */
const BARE_SHARE = 0.4;
const OPERATOR: Password = { name: 'Cliente Teste 01', password: 'the password of this test' };
const MEBIBYTE = 1_048_576;
/** Memory of each app by the chart, in MiB. */
const LIMITS = limitsOfChart();
const JSON_BODY = 'Content-Type: application/json\r\n';

describe("a stranger's day", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-strangers-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(`${CONNECTIONS} connections of each hostile kind at each public port keep nobody from his work, and take no more memory than the chart gives`, async () => {
    const usersFile = join(folder, 'users.json');
    await writeFile(usersFile, JSON.stringify(users()));
    const ofConsole = { CONSOLE_USERS_FILE: usersFile };
    let played: Day | undefined;
    const play = async (gondola: Gondola): Promise<void> => {
      played = await day(gondola, folder);
    };
    await testRun('strangers', play, {
      envOf: (app) => ({ NODE_OPTIONS: heapOf(app), ...(app === 'console' && ofConsole) }),
    });
    const { elsewhere, beside, memory, fates, room } = played!;
    // A door that is busy does not open for all.
    for (const { app, kinds } of fates) {
      for (const [kind, { opened }] of Object.entries(kinds)) {
        expect([app, kind, opened > CONNECTIONS / 2]).toEqual([app, kind, true]);
      }
    }
    for (const task of TASKS) expect([task, beside[task].length > 0]).toEqual([task, true]);
    for (const { app, peak, limit } of memory) expect([app, peak <= limit]).toEqual([app, true]);
    if (room < ROOM) return;
    const slow = TASKS.filter((task) => median(beside[task]) > MOST_SLOWER * median(elsewhere[task]));
    expect(slow).toEqual([]);
    expect(Math.max(...beside['sign-in'])).toBeLessThan(LONGEST_SIGN_IN_MS);
  });
});

interface Day {
  /** While the strangers are at bare doors, and at those of the shop. */
  readonly elsewhere: Taken;
  readonly beside: Taken;
  /** Share of the machine that was idle in the first of them. */
  readonly room: number;
  readonly memory: ReturnType<typeof memoryOf>;
  readonly fates: readonly { readonly app: string; readonly kinds: Fates }[];
}

async function day(gondola: Gondola, folder: string): Promise<Day> {
  const script = await scriptOfPage(gondola);
  await loadCatalog(gondola.context);
  await publishPricesAndStock(gondola.context);
  const work = new OrdinaryWork(gondola, { operator: OPERATOR, script });
  await work.signIn();
  await work.round(nothingTaken());
  const own = doors(gondola);
  const bare = await Promise.all(own.map((door) => openBareDoor(door, folder)));
  const idleBefore = idleTime();
  const { taken: elsewhere } = await takenWhile(work, async () => {
    await visitAll(
      bare.map(({ door }) => door),
      folder,
      BARE_SHARE,
    );
  });
  const room = idleShare(idleBefore, idleTime());
  await Promise.all(bare.map(({ server }) => server.kill()));
  const { taken: beside, result: fates } = await takenWhile(work, () => visitAll(own, folder, 1));
  const played = { elsewhere, beside, room, memory: memoryOf(gondola), fates };
  report(played);
  return played;
}

/** Round after round, as long as something else lasts. */
async function takenWhile<T>(work: OrdinaryWork, other: () => Promise<T>): Promise<{ taken: Taken; result: T }> {
  const taken = nothingTaken();
  const over = new AbortController();
  const ended = other().finally(() => over.abort());
  while (!over.signal.aborted) await work.round(taken);
  return { taken, result: await ended };
}

/** Milliseconds of all cores since the machine began. */
function idleTime(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0);
  return { idle: times.reduce((sum, { idle }) => sum + idle, 0), all };
}

function idleShare(before: ReturnType<typeof idleTime>, after: ReturnType<typeof idleTime>): number {
  return (after.idle - before.idle) / (after.all - before.all);
}

/** The door of nobody, for strangers who come to `door`. */
async function openBareDoor(door: Door, folder: string): Promise<{ door: Door; server: SupervisedProcess }> {
  const logFile = join(folder, `${door.app}-bare.log`);
  const args = [join(import.meta.dirname, 'testing/bare-door.ts')];
  const server = await spawnSupervised({ command: process.execPath, args, env: hostEnvironment(), logFile });
  const said = await waitFor(async () => /^\d+$/m.exec(await logSince(logFile, 0)), { describe: 'a bare door' });
  return { door: { ...door, port: Number(said[0]) }, server };
}

type Visited = Promise<{ app: string; kinds: Fates }[]>;

function visitAll(doorsOfAll: readonly Door[], folder: string, share: number): Visited {
  const [connections, ms] = [CONNECTIONS * share, MINUTE_MS * share];
  return Promise.all(doorsOfAll.map((door) => visit({ door, connections, ms }, folder)));
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** The ports that the chart lets others reach. */
function doors({ urls }: Gondola): Door[] {
  return [
    {
      app: 'webhook-ingest',
      port: portOf(urls['webhook-ingest']),
      post: '/webhooks/platform',
      get: '/health/live',
      longestBody: 1_048_576,
      headers: JSON_BODY,
    },
    {
      app: 'file-gateway',
      port: portOf(urls['file-gateway']),
      post: '/uploads',
      get: '/health/live',
      longestBody: 50_000_000,
      headers: 'Content-Type: image/jpeg\r\n',
    },
    {
      app: 'console',
      port: portOf(urls.console),
      post: '/session/password',
      get: '/',
      longestBody: 1_048_576,
      headers: `${JSON_BODY}Sec-Fetch-Site: same-origin\r\nOrigin: ${urls.console}\r\n`,
    },
  ];
}

/** Path of the script of the console's page, which is the longest that it answers to anybody. */
async function scriptOfPage({ urls }: Gondola): Promise<string> {
  const page = await (await fetch(urls.console)).text();
  return /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!;
}

async function visit(plan: Visit, folder: string): Promise<{ app: string; kinds: Fates }> {
  const { door, connections } = plan;
  const logFile = join(folder, `${door.app}-${connections}.log`);
  const script = join(import.meta.dirname, 'testing/stranger.ts');
  const order = { command: process.execPath, args: [script, JSON.stringify(plan)], env: hostEnvironment(), logFile };
  const { exited } = await spawnSupervised(order);
  const { code } = await exited;
  const said = await logSince(logFile, 0);
  if (code !== 0) throw new Error(`The stranger at ${door.app} ended with ${code}: ${said}`);
  return { app: door.app, kinds: JSON.parse(said.trim().split('\n').at(-1) ?? '') as Fates };
}

/** The heap that Node.js would choose in a container with the chart's limit; on a large machine it takes its time. */
function heapOf(app: string): string {
  const limit = LIMITS.get(app);
  return limit === undefined ? '' : `--max-old-space-size=${Math.floor(limit / 2)}`;
}

/** The most that each app had resident, and what the chart gives it, in MiB. */
function memoryOf({ supervisor }: Gondola): { app: string; peak: number; limit: number }[] {
  return [...LIMITS].map(([app, limit]) => {
    return { app, limit, peak: Math.round(peakBytes(supervisor.pidOf(app)!) / MEBIBYTE) };
  });
}

function limitsOfChart(): ReadonlyMap<string, number> {
  const chart = parse(readFileSync(join(ROOT, 'infra/helm/gondola/values.yaml'), 'utf8')) as {
    apps: Record<string, { resources: { limits: { memory: string } } }>;
  };
  return new Map(
    Object.entries(chart.apps).map(([app, { resources }]) => {
      return [app, Number(/^(\d+)Mi$/.exec(resources.limits.memory)?.[1])];
    }),
  );
}

/** The operator, with a hash as the console's own program makes it. */
function users(): object {
  const program = join(ROOT, 'apps/console/src/operators/password.main.ts');
  const { stdout } = spawnSync(process.execPath, [program], { input: `${OPERATOR.password}\n`, encoding: 'utf8' });
  return { users: { [OPERATOR.name]: { password: stdout.trim(), roles: { [TENANT]: 'act' } } } };
}

function report({ elsewhere, beside, room, memory, fates }: Day): void {
  const checked = room < ROOM ? 'too little to check the times' : 'the times are checked';
  const lines = [
    `The machine is idle for ${Math.round(room * 100)} % of the time while they are elsewhere: ${checked}`,
    ...TASKS.map((task) => {
      const [before, with_] = [median(elsewhere[task]), median(beside[task])].map(Math.round);
      const slower = median(beside[task]) / median(elsewhere[task]);
      const longest = Math.round(Math.max(...beside[task]));
      return `${task}: ${before} ms while they are elsewhere, ${with_} ms beside them (× ${slower.toFixed(2)}; longest of ${beside[task].length}: ${longest} ms)`;
    }),
    ...memory.map(({ app, peak, limit }) => `${app}: at most ${peak} of ${limit} MiB`),
    ...fates.flatMap(({ app, kinds }) =>
      Object.entries(kinds).map(
        ([kind, { opened, statuses }]) => `${app}, ${kind}: ${opened}, ${JSON.stringify(statuses)}`,
      ),
    ),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
