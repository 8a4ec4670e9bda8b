import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { assert, asyncProperty, constantFrom, subarray } from 'fast-check';
import { Store } from './store.service.ts';

const VERSION = '1.2.3';
const MARKER = 'platform-sandbox.json';
const CONTENT = 'c0ffee00-1234-4abc-8def-0123456789ab';
const MODE_BITS = 0o777;

/** Lays an entry of the folder down. */
type Lay = (folder: string) => Promise<void>;

const file =
  (name: string, text = ''): Lay =>
  (folder) =>
    writeFile(join(folder, name), text);
const subfolder =
  (name: string): Lay =>
  async (folder) => {
    await mkdir(join(folder, name));
  };
const all =
  (...parts: readonly Lay[]): Lay =>
  async (folder) => {
    for (const part of parts) await part(folder);
  };

/** A line of a journal, as every version has written it. */
function line(entries: readonly unknown[]): string {
  const text = JSON.stringify(entries);
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}
const ROWS = line([['rows', 'a', { n: 1 }]]);
const marker = (content: object): Lay => file(MARKER, `${JSON.stringify(content)}\n`);
const MARKED = marker({ owner: '@gondola/platform-sandbox', format: 1, version: '1.2.2' });
const HOLDER = 'the sandbox on host a, process 7, running since 2026-11-28T00:00:00.000Z';

describe('a data folder', () => {
  /** Holds the data folder and what its links lead to. */
  let root: string;
  let folder: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'data-folder-'));
    folder = join(root, 'data');
    await mkdir(folder);
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere/journal.0'), ROWS);
    await writeFile(join(root, 'elsewhere/text'), 'a text');
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Opens and closes the folder; returns the keys of its rows. */
  async function opened(path = folder): Promise<string[]> {
    const store = new Store({ folder: path, version: VERSION, journalMaxBytes: 1_000 });
    const rows = store.table<string, unknown>('rows');
    await store.open();
    const keys = [...rows.keys()];
    await store.close();
    return keys;
  }

  /** Changes a row so often that the journal is replaced. */
  async function writeAndClose(): Promise<void> {
    const store = new Store({ folder, version: VERSION, journalMaxBytes: 1 });
    const rows = store.table<string, unknown>('rows');
    await store.open();
    for (let n = 0; n < 5; n += 1) {
      store.unit(() => rows.put('a', { n, text: 'x'.repeat(n * 100) }));
      await store.synced();
    }
    await store.close();
  }

  /** The sentence with which the folder is refused; everything below the root is then as before. */
  async function refusal(path = folder): Promise<string> {
    const before = await treeOf(root);
    const sentence = await opened(path).then(
      () => 'It was opened',
      (error: unknown) => (error as Error).message,
    );
    expect(await treeOf(root)).toEqual(before);
    return sentence;
  }

  const EARLIER: readonly (readonly [string, Lay, string[]])[] = [
    ['has a journal', file('journal.0', ROWS), ['a']],
    ['has a snapshot', all(file('snapshot.3', ROWS), file('journal.3')), ['a']],
    ['wrote half a line', all(file('journal.0', '00000000'), file('lock'), file('holder', HOLDER)), []],
    ['wrote no line', all(file('journal.0'), file('owner.pid', '7'), subfolder('files')), []],
  ];
  const KILLED: readonly (readonly [string, Lay])[] = [
    ['before it had the lock', file('lock')],
    ['when it had the lock', all(file('lock'), file('lock-journal', '\0'.repeat(512)), file('holder', HOLDER))],
    ['with the lock of an earlier version', file('owner.pid', '4711')],
    ['while it wrote the marker', all(file('lock'), file('holder', HOLDER), file(`${MARKER}.part`, '{"owner"'))],
    ['before it had a journal', all(MARKED, file('lock'))],
  ];

  it.each([
    ['a missing folder', (path: string) => rm(path, { recursive: true })],
    ['an empty folder', async () => {}],
    ["one with the system's own entries", all(file('.DS_Store', 'x'), subfolder('lost+found'))],
    ...KILLED.map(([name, lay]) => [`one whose first start was killed ${name}`, lay] as const),
  ])('is made of %s', async (_, lay) => {
    await lay(folder);
    expect(await opened()).toEqual([]);
    expect(JSON.parse(await readFile(join(folder, MARKER), 'utf8'))).toEqual({
      owner: '@gondola/platform-sandbox',
      format: 1,
      version: VERSION,
    });
  });

  it('is made with the folders above it', async () => {
    expect(await opened(join(folder, 'a/b/'))).toEqual([]);
    expect(await readdir(join(folder, 'a/b'))).toContain(MARKER);
  });

  it.each(EARLIER)('of an earlier version, which %s, is adopted', async (_, lay, keys) => {
    await lay(folder);
    expect(await opened()).toEqual(keys);
    expect(await readdir(folder)).toContain(MARKER);
    expect(await opened()).toEqual(keys);
  });

  it('names in its marker the version that opened it last', async () => {
    await MARKED(folder);
    await opened();
    expect(await readFile(join(folder, MARKER), 'utf8')).toContain(`"version":"${VERSION}"`);
  });

  it.each<[string, Lay, string]>([
    ['a file', file('notes.txt', 'x'), '("notes.txt")'],
    ['a folder', subfolder('src'), '("src")'],
    ['a link', (path) => symlink('../elsewhere', join(path, 'link')), '("link")'],
    ['a folder named files', all(subfolder('files'), file(`files/${CONTENT}`, 'x')), '("files")'],
    ['many files', all(...['a', 'b', 'c', 'd', 'e'].map((name) => file(name))), '("a", "b", "c", 2 more)'],
    ['an empty file named as a journal', all(file('journal.1'), file('a.txt')), '("a.txt")'],
    ['a text named as a journal', file('journal.0', 'Dear journal'), '("journal.0")'],
    ['a journal of a strange number', file('journal.07', ROWS), '("journal.07")'],
    ['a process id', file('owner.pid', 'of the printer'), '("owner.pid")'],
    ['a lock that is not empty', file('lock', 'shop'), '("lock")'],
    ['a name with a line break', file('a\nb'), String.raw`("a\nb")`],
  ])("of somebody else's, with %s, is refused in one sentence, and nothing in it is touched", async (_, lay, names) => {
    await lay(folder);
    expect(await refusal()).toBe(
      `${folder} is not the sandbox's own and not empty ${names}, and was left as it is: ` +
        'give the sandbox another folder, new or empty (--data, DATA_DIR)',
    );
  });

  it.each<[string, Lay, string]>([
    ['another owner', marker({ owner: 'me', format: 1 }), 'platform-sandbox.json does not name the sandbox'],
    ['no format', marker({ owner: '@gondola/platform-sandbox' }), 'platform-sandbox.json does not name the sandbox'],
    ['damage', file(MARKER, '{"owner":'), 'platform-sandbox.json does not name the sandbox'],
    ['nothing', file(MARKER, 'null'), 'platform-sandbox.json does not name the sandbox'],
    [
      'a newer format',
      marker({ owner: '@gondola/platform-sandbox', format: 2, version: '9.8.7' }),
      'was written by version 9.8.7 of the sandbox, in a form that this one, 1.2.3, does not know: start that version',
    ],
  ])('whose marker has %s is refused', async (_, lay, sentence) => {
    await all(lay, file('journal.0', ROWS))(folder);
    expect(await refusal()).toContain(sentence);
  });

  it.each(['', '/', '/.'])('that is itself a symbolic link, named with %j at its end, is refused', async (end) => {
    const link = join(root, 'link');
    for (const target of ['data', 'elsewhere', 'nowhere', 'elsewhere/text']) {
      await symlink(target, link);
      expect(await refusal(`${link}${end}`)).toMatch(/link is a symbolic link, and the sandbox follows none: name /);
      await rm(link);
    }
  });

  it('that is a file, or below one, is refused', async () => {
    expect(await refusal(join(root, 'elsewhere/text'))).toMatch(/text is not a folder: name one/);
    expect(await refusal(join(root, 'elsewhere/text/data'))).toMatch(/data cannot be used as the folder .*ENOTDIR/);
  });

  const OWN_NAMES = [
    'lock',
    'lock-journal',
    'holder',
    'owner.pid',
    'journal.1',
    'snapshot.1',
    'snapshot.2.part',
  ].concat([`${MARKER}.part`, 'files', `files/${CONTENT}`]);

  it.each(OWN_NAMES)('of its own with a symbolic link as %s is refused, and the link not followed', async (name) => {
    for (const lay of [MARKED, file('journal.0', ROWS)]) {
      for (const target of ['text', '', 'nothing']) {
        await lay(folder);
        if (name.includes('/')) await mkdir(join(folder, 'files'), { recursive: true });
        await symlink(join(root, 'elsewhere', target), join(folder, name));
        expect(await refusal()).toMatch(`${folder}/${name} is a symbolic link, and the sandbox follows none: give `);
        await rm(folder, { recursive: true });
        await mkdir(folder);
      }
    }
  });

  it('with a symbolic link as its marker is refused', async () => {
    await all(MARKED, file('journal.0', ROWS))(folder);
    await symlink(join(folder, MARKER), join(folder, `${MARKER}.link`));
    await rm(join(folder, MARKER));
    await MARKED(join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere', MARKER), join(folder, MARKER));
    expect(await refusal()).toMatch(/platform-sandbox.json is a symbolic link, and the sandbox follows none/);
  });

  it.each(OWN_NAMES)('of its own with an entry of another kind as %s is refused', async (name) => {
    await MARKED(folder);
    if (name.includes('/')) await mkdir(join(folder, 'files'));
    if (name === 'files') await file(name)(folder);
    else await subfolder(name)(folder);
    expect(await refusal()).toMatch(/ is a (file|folder), where the sandbox has a (folder|file): give /);
  });

  it('is opened exactly if it is its own or empty, and keeps what others have in it', async () => {
    const states = { nothing: null, marked: MARKED, journal: file('journal.0', ROWS), killed: file('lock') };
    const others: Readonly<Record<string, Lay>> = {
      text: file('notes.txt', 'x'),
      hidden: file('.env', 'x'),
      part: file('film.part', 'x'),
      journal: file('journal.1.gz', 'x'),
      folder: all(subfolder('photos'), file('photos/1.jpg', 'x')),
      link: (path) => symlink('../elsewhere', join(path, 'link')),
    };
    await assert(
      asyncProperty(
        constantFrom(...(Object.keys(states) as (keyof typeof states)[])),
        subarray(Object.keys(others)),
        async (state, names) => {
          await rm(folder, { recursive: true });
          await mkdir(folder);
          for (const name of names) await others[name]?.(folder);
          const before = await treeOf(folder);
          await states[state]?.(folder);
          const mayOpen = state === 'marked' || state === 'journal' || names.length === 0;
          const outcome = mayOpen ? await opened().then(() => 'opened') : await refusal();
          expect(outcome).toContain(mayOpen ? 'opened' : 'not the sandbox');
          delete before['.'];
          expect(await treeOf(folder)).toMatchObject(before);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is closed to other users with all that is the sandbox’s in it, whatever it was before', async () => {
    const strangers = all(file('notes.txt', 'x'), subfolder('photos'));
    await all(MARKED, file('lock'), file('snapshot.1', ROWS), file('journal.1', ROWS), strangers)(folder);
    await all(subfolder('files'), file(`files/${CONTENT}`, 'x'), file('files/notes.txt', 'x'))(folder);
    const before = Object.keys(await treeOf(folder));
    for (const path of before) await chmod(join(folder, path), path === '.' || path === 'files' ? 0o777 : 0o666);
    await chmod(join(folder, 'photos'), 0o755);
    const umask = process.umask(0);
    try {
      const store = new Store({ folder, version: VERSION, journalMaxBytes: 1_000 });
      await store.open();
      const running = await modesOf(folder);
      await store.close();
      expect(Object.keys(running)).toEqual(expect.arrayContaining([MARKER, 'lock', 'lock-journal', 'holder']));
      await writeAndClose();
      const later = await modesOf(folder);
      expect(Object.keys(later)).toEqual(expect.arrayContaining([expect.stringMatching(/^snapshot\.[2-9]$/)]));
      const theirs = { 'notes.txt': '666', photos: '755', 'files/notes.txt': '666' };
      for (const modes of [running, later]) {
        expect(modes).toMatchObject(theirs);
        const own = Object.entries(modes).filter(([name]) => !(name in theirs));
        expect(own.filter(([name, mode]) => mode !== (name === '.' || name === 'files' ? '700' : '600'))).toEqual([]);
      }
    } finally {
      process.umask(umask);
    }
  });

  it('is held against other processes, as soon as it is open', async () => {
    const store = new Store({ folder, version: VERSION, journalMaxBytes: 1 });
    await store.open();
    const program = `
      import { Store } from ${JSON.stringify(import.meta.resolve('./store.service.ts'))};
      await new Store({ folder: ${JSON.stringify(folder)}, version: '1', journalMaxBytes: 1_000 }).open();`;
    const hooks = ['--conditions=gondola-source', '--import=@gondola/local-stack/swc-hooks'];
    const said = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        [...hooks, '--input-type=module', '--eval', program],
        { cwd: import.meta.dirname },
        (_error, _stdout, stderr) => resolve(stderr),
      );
    });
    await store.close();
    expect(said).toContain(`${folder} is in use by the sandbox on host`);
  });
});

/** Mode, kind and content of a folder and all below it, by their paths in it. */
async function treeOf(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const name of ['.', ...(await readdir(folder, { recursive: true }))]) {
    const path = join(folder, name);
    const found = await lstat(path);
    const content = found.isSymbolicLink() ? await readlink(path) : found.isFile() ? await readFile(path, 'utf8') : '';
    tree[name] = `${found.mode.toString(8)} ${content}`;
  }
  return tree;
}

async function modesOf(folder: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const modes = names.map(async (name) => {
    const { mode } = await lstat(join(folder, name));
    return [name, (mode & MODE_BITS).toString(8)] as const;
  });
  return Object.fromEntries(await Promise.all(modes));
}
