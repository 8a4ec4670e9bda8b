import { afterEach, describe, expect, it } from '@jest/globals';
import { PinnedKeys } from '../src/sftp/pinned-keys.ts';
import { SftpConnection } from '../src/sftp/sftp-connection.adapter.ts';
import { SftpError } from '../src/sftp/sftp-error.ts';
import { MINA } from './support/mina-sftp-server/mina.ts';
import { PackagedSftpServer, type Setup, USER } from './support/packaged-sftp-server.ts';
import { DROPBEAR, OPEN_SSH, PRO_FTPD } from './support/sftp-packages.ts';
import { png } from './support/contents.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function started(...what: Parameters<typeof PackagedSftpServer.start>): Promise<PackagedSftpServer> {
  const server = await PackagedSftpServer.start(...what);
  closing.push(() => server.stop());
  return server;
}

async function open(
  { port, fingerprints }: PackagedSftpServer,
  { key = 'ed25519', password = USER.password } = {},
): Promise<SftpConnection> {
  const server = { ...USER, password, host: '127.0.0.1', port, hostKeys: new PinnedKeys([fingerprints[key]!]) };
  const connection = await SftpConnection.open(server, { connectMs: 30_000, signal: new AbortController().signal });
  closing.push(() => connection.close());
  return connection;
}

/** Places a picture as a session does, over one that is there. */
async function place(connection: SftpConnection, { drop }: PackagedSftpServer): Promise<string[]> {
  const name = `${drop}/4711-1_1.png`;
  for (const content of [png(), png(100_000)]) {
    const there = await connection.sizeOf(name);
    expect(await connection.write(`${name}.part`, [content])).toBe(content.length);
    expect(await connection.sizeOf(`${name}.part`)).toBe(content.length);
    if (there !== null) await connection.remove(name);
    await connection.rename(`${name}.part`, name);
    expect(await connection.sizeOf(name)).toBe(content.length);
  }
  return (await connection.names(drop)).filter((each) => !each.startsWith('.'));
}

async function errorOf(action: Promise<unknown>): Promise<SftpError> {
  const error = await action.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SftpError)) throw new Error('Nothing was refused', { cause: error });
  return error;
}

const TAKING: readonly Setup[] = ['password', 'question', 'one attempt', 'password or question'];

const REFUSING: readonly { setup: Setup; password?: string; code: string; detail: string }[] = [
  { setup: 'password', password: 'another', code: 'credentials', detail: 'password' },
  { setup: 'question', password: 'another', code: 'credentials', detail: 'keyboard-interactive' },
  { setup: 'keys only', code: 'no-password', detail: 'publickey' },
  { setup: 'password and question', code: 'log-in-question', detail: 'keyboard-interactive' },
  {
    setup: 'old key exchange',
    code: 'no-common-algorithm',
    detail: 'no matching key exchange algorithm; the server has: diffie-hellman-group14-sha1',
  },
];

const LIMITED: readonly { setup: Setup; step: string; detail: RegExp }[] = [
  { setup: 'no renaming', step: 'rename', detail: /^status 3 \(PERMISSION_DENIED\)$/ },
  { setup: 'pictures only', step: 'write', detail: /^status [34] / },
];

const KINDS = [OPEN_SSH, PRO_FTPD, DROPBEAR, MINA];
const versions = new Map<string, string | null>();
for (const { name, version } of KINDS) versions.set(name, await version());

for (const kind of KINDS) {
  const version = versions.get(kind.name) ?? null;
  const has = ({ setup }: { setup: Setup }): boolean => setup in kind.setups;
  const suite = version === null ? describe.skip : describe;

  suite(`${kind.name} (${version ?? `skipped: needs ${kind.needs}`})`, () => {
    it.each(TAKING.map((setup) => ({ setup })).filter(has))('takes pictures: $setup (rule 34)', async ({ setup }) => {
      const server = await started(kind, setup);
      expect(await place(await open(server), server)).toEqual(['4711-1_1.png']);
    });

    it('shows each pinned key although it has others (rule 34)', async () => {
      const server = await started(kind, 'password');
      for (const key of ['ed25519', 'ecdsa-p256', 'rsa']) {
        expect(await place(await open(server, { key }), server)).toEqual(['4711-1_1.png']);
      }
    });

    it('takes pictures with an RSA key alone (rule 34)', async () => {
      const server = await started(kind, 'password', ['rsa']);
      expect(await place(await open(server, { key: 'rsa' }), server)).toEqual(['4711-1_1.png']);
    });

    it.each(REFUSING.filter(has))(
      'refuses, and $code is said: $setup (rule 34)',
      async ({ setup, password = USER.password, code, detail }) => {
        const server = await started(kind, setup);
        const error = await errorOf(open(server, { password }));
        expect(error).toMatchObject({ code, detail: expect.stringContaining(detail) });
      },
    );

    it.each(LIMITED.filter(has))(
      'refuses to $step, and the step is said: $setup (rule 34)',
      async ({ setup, step, detail }) => {
        const server = await started(kind, setup);
        const error = await errorOf(place(await open(server), server));
        expect(error).toMatchObject({ code: 'refused', step, detail: expect.stringMatching(detail) });
      },
    );
  });
}
