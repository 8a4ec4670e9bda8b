import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { NotificationsRepository } from '../inbox/notifications.repository.ts';
import { UserErasuresRepository } from '../inbox/user-erasures.repository.ts';
import { Spool } from './spool.adapter.ts';
import { envelope } from '../../test/support/deliver.ts';
import { InboxDatabase } from '../../test/support/inbox-database.ts';
import { ACME_RECEIVER, incoming, received } from '../../test/support/incoming.ts';
import { Inbox } from '../inbox/inbox.service.ts';
import { InboxOrSpool } from './inbox-or-spool.service.ts';
import { SpoolImporter } from './spool-importer.service.ts';

const LONG_MS = 60_000;

let store: InboxDatabase;
let folder: string;
let imported = 0;
const lines: string[] = [];
const logger = createLogger({
  app: 'importer',
  level: 'info',
  destination: { write: (line) => void lines.push(line) },
});
const started: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  store = await InboxDatabase.open('importer');
});

afterAll(() => store.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-importer-'));
  imported = 0;
  lines.splice(0);
  await store.clear();
});

afterEach(async () => {
  for (const importer of started.splice(0)) await importer.stop();
  await rm(folder, { recursive: true });
});

/** Leaves bodies in the spool, as an earlier process would. */
async function leave(
  bodies: readonly string[],
  tenants: readonly string[] = ['acme'],
  fileBytes = 1_000_000,
): Promise<void> {
  const spool = new Spool({ folder, maxBytes: 10_000_000, logger, fileBytes });
  await spool.open();
  for (const [index, body] of bodies.entries()) {
    await spool.append([received(body, { tenant: tenants[index % tenants.length]! })]);
  }
  await spool.close();
}

/** Starts the importer as the app does. `before` runs before each insert into the inbox. */
async function start(known: readonly string[] = ['acme'], before: () => Promise<void> = async () => {}) {
  const notifications = new NotificationsRepository(store.database, new UserErasuresRepository(store.database));
  const inbox = new Inbox(notifications, { publish: () => {} }, logger);
  const spool = new Spool({ folder, maxBytes: 10_000_000, logger });
  const storeAll: Inbox['storeAll'] = async (items) => {
    await before();
    return inbox.storeAll(items);
  };
  const config = {
    ingest: { inboxBudgetMs: LONG_MS },
    receivers: new Map(known.map((id) => [id, { ...ACME_RECEIVER, id }])),
  };
  const metrics = { imported: (records: number) => void (imported += records) };
  const inboxOrSpool = new InboxOrSpool({ storeAll }, spool, config, logger);
  const importer = new SpoolImporter(spool, inboxOrSpool, { storeAll }, notifications, metrics, config, logger);
  started.push(importer);
  await importer.start();
  const isBack = () => waitFor(() => !inboxOrSpool.isSpooling, { describe: 'the way back' });
  return { inboxOrSpool, spool, isBack };
}

/** Takes the folder, as another host does once this process was silent for long. */
async function takeFolder(): Promise<void> {
  const [own] = (await readdir(folder)).filter((name) => name !== 'aside');
  await rename(join(folder, own!), join(folder, 'of-another'));
}

/** Paths of all spool files that wait to be imported. */
async function spoolFiles(): Promise<string[]> {
  const paths = (await readdir(folder, { recursive: true })).toSorted();
  return paths.filter((path) => path.endsWith('.spool') && !path.startsWith('aside')).map((path) => join(folder, path));
}

/** A body as its line holds it. */
const escaped = (body: string) => JSON.stringify(body).slice(1, -1);
const numbered = (count: number) => Array.from({ length: count }, (_, number) => envelope({ data: { number } }));

describe('content of the spool', () => {
  it('is imported in order, file by file, each removed after its commit, and then new ones go into the inbox', async () => {
    const bodies = numbered(30);
    await leave(bodies, ['acme'], 2_000);
    expect((await spoolFiles()).length).toBeGreaterThan(3);
    const { inboxOrSpool, isBack } = await start();
    const more = numbered(5);
    for (const body of more) await inboxOrSpool.store(incoming(body));
    await isBack();
    expect(await inboxOrSpool.store(incoming(more[0]))).toBe('repeated');
    expect(await store.bodies('notifications')).toEqual([...bodies, ...more]);
    expect(await spoolFiles()).toEqual([]);
    expect(imported).toBeGreaterThanOrEqual(bodies.length);
  });

  it('stays where it is while the inbox fails, and what a broken-off import had stored is a repeat', async () => {
    const bodies = numbered(10);
    await leave(bodies, ['acme'], 2_000);
    let attempts = 0;
    const { isBack } = await start(['acme'], async () => {
      attempts += 1;
      if (attempts % 2 === 0) throw new Error('away');
    });
    await isBack();
    expect(attempts).toBeGreaterThan(2);
    expect(await store.bodies('notifications')).toEqual(bodies);
  });

  it('is read as if it had just arrived: unreadable bodies are put into quarantine', async () => {
    await leave(['{', envelope()]);
    const { isBack } = await start();
    await isBack();
    expect(await store.bodies('quarantine')).toEqual(['{']);
    expect(await store.bodies('notifications')).toHaveLength(1);
  });

  it('of a tenant that is not in the tenants file is set aside and logged, and imported once the tenant is', async () => {
    const bodies = numbered(6);
    await leave(bodies, ['acme', 'gone']);
    const first = await start();
    await first.isBack();
    expect(await store.bodies('notifications')).toEqual([bodies[0], bodies[2], bodies[4]]);
    expect(first.spool.aside.files).toBe(1);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ level: 'error', records: 3, tenants: ['gone'] }),
    );
    await started.pop()!.stop();
    const second = await start(['acme', 'gone']);
    await second.isBack();
    expect((await store.bodies('notifications')).toSorted()).toEqual(bodies.toSorted());
    expect(second.spool.aside.files).toBe(0);
  });

  it('is imported except a damaged part, which is set aside and logged, and an incomplete end', async () => {
    const bodies = numbered(5);
    await leave(bodies);
    const [name] = await spoolFiles();
    const file = await readFile(name!);
    const at = file.indexOf(escaped(bodies[2]!));
    file[at]! ^= 1;
    await writeFile(name!, file.subarray(0, -3));
    const { isBack, spool } = await start();
    await isBack();
    expect(await store.bodies('notifications')).toEqual([bodies[0], bodies[1], bodies[3]]);
    expect(spool.aside.files).toBe(1);
    const [aside] = await readdir(join(folder, 'aside'));
    expect((await readFile(join(folder, 'aside', aside!))).includes(escaped(bodies[2]!).slice(1))).toBe(true);
    const told = lines.map((line) => JSON.parse(line) as { level: string; msg: string });
    expect(told).toContainEqual(expect.objectContaining({ level: 'error', msg: expect.stringContaining('damaged') }));
    expect(told).toContainEqual(expect.objectContaining({ level: 'warn', msg: expect.stringContaining('cut off') }));
  });

  it('of an unknown form is set aside whole and logged, and stops nothing', async () => {
    const [body] = numbered(1);
    await leave([body!]);
    const [path] = await spoolFiles();
    const unknown = 'GONDOLA SPOOL 2: of a later version';
    await writeFile(join(dirname(path!), '000000000000-0123abcd.spool'), unknown);
    const { isBack, spool } = await start();
    await isBack();
    expect(await store.bodies('notifications')).toEqual([body]);
    expect(spool.aside.files).toBe(1);
    const [aside] = await readdir(join(folder, 'aside'));
    expect(await readFile(join(folder, 'aside', aside!), 'utf8')).toContain(unknown);
    expect(lines.join('')).toContain('damaged lines');
  });

  it('is imported although a person has deleted the folder of what was set aside, which is made again', async () => {
    await leave(numbered(1));
    const [path] = await spoolFiles();
    await writeFile(path!, 'damaged\n');
    let isAway = true;
    const { inboxOrSpool, isBack, spool } = await start(['acme'], async () => {
      if (isAway) throw new Error('away');
    });
    await waitFor(() => spool.aside.files === 1, { describe: 'the damaged line to be set aside' });
    const body = envelope();
    expect(await inboxOrSpool.store(incoming(body))).toBe('spooled');
    await rm(join(folder, 'aside'), { recursive: true });
    isAway = false;
    await isBack();
    expect(await store.bodies('notifications')).toEqual([body]);
    await waitFor(() => spool.aside.files === 0, { describe: 'the folder to be made again' });
  });

  it('of another process that stopped is imported while this one uses the inbox', async () => {
    const { inboxOrSpool, spool } = await start();
    const bodies = numbered(3);
    await leave(bodies, ['acme'], 1);
    // While the files are moved from one folder to the other, neither list has them.
    const isImported = async () => (await store.bodies('notifications')).length === bodies.length;
    await waitFor(async () => (await isImported()) && (await spoolFiles()).length === 0, {
      describe: 'the import of what is left',
    });
    expect(await store.bodies('notifications')).toEqual(bodies);
    expect({ isSpooling: inboxOrSpool.isSpooling, isEmpty: spool.isEmpty }).toEqual({
      isSpooling: false,
      isEmpty: true,
    });
  });

  it('is answered for by its holder alone: a process that was frozen and lost the folder uses the inbox', async () => {
    let isAway = true;
    const { inboxOrSpool, isBack } = await start(['acme'], async () => {
      if (isAway) throw new Error('away');
    });
    const bodies = numbered(3);
    expect(await inboxOrSpool.store(incoming(bodies[0]))).toBe('spooled');
    await takeFolder();
    const stored = inboxOrSpool.store(incoming(bodies[1]));
    isAway = false;
    expect(await stored).toBe('stored');
    await isBack();
    expect(await inboxOrSpool.store(incoming(bodies[2]))).toBe('stored');
  });

  it('that the disk cannot read is set aside by its name, logged with it, and imported by a later start', async () => {
    const bodies = numbered(3);
    await leave(bodies, ['acme'], 1);
    const [, hidden] = await spoolFiles();
    const elsewhere = join(folder, 'elsewhere');
    await rename(hidden!, elsewhere);
    await symlink(join(folder, 'gone'), hidden!);
    const [folderName, brokenName] = ['000000000000-0123abcd.spool', '000000000900-0123abcd.spool'];
    await mkdir(join(dirname(hidden!), folderName));
    // Linux answers EIO to a read at the first address of a process' memory.
    await symlink('/proc/self/mem', join(dirname(hidden!), brokenName));
    const { isBack, spool } = await start();
    await isBack();
    expect(await store.bodies('notifications')).toEqual([bodies[0], bodies[2]]);
    expect(spool.aside.files).toBe(3);
    const told = lines.map((line) => JSON.parse(line) as { level: string; file?: string });
    for (const file of [folderName, basename(hidden!), brokenName])
      expect(told).toContainEqual(expect.objectContaining({ level: 'error', file }));
    await started.pop()!.stop();
    await rename(elsewhere, join(folder, 'gone'));
    const second = await start();
    await second.isBack();
    expect((await store.bodies('notifications')).toSorted()).toEqual(bodies.toSorted());
    expect(second.spool.aside.files).toBe(2);
  });

  it('that can neither be read nor set aside is logged by its name, and stops nothing', async () => {
    const bodies = numbered(3);
    await leave(bodies, ['acme'], 1);
    const [, lost] = await spoolFiles();
    const { isBack } = await start(['acme'], async () => {
      for (const path of await spoolFiles()) if (basename(path) === basename(lost!)) await rm(path, { force: true });
    });
    await isBack();
    expect(await store.bodies('notifications')).toEqual([bodies[0], bodies[2]]);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ level: 'error', file: basename(lost!), msg: expect.stringContaining('neither') }),
    );
  });
});
