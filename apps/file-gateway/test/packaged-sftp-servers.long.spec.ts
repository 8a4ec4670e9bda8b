import { afterEach, describe, expect, it } from '@jest/globals';
import { PinnedKeys } from '../src/sftp/pinned-keys.ts';
import { SftpConnection } from '../src/sftp/sftp-connection.adapter.ts';
import { SftpError } from '../src/sftp/sftp-error.ts';
import { openSsh, PackagedSftpServer, proFtpd, USER, versionOf } from './support/packaged-sftp-server.ts';
import { png } from './support/contents.ts';

const BY_PASSWORD = ['PasswordAuthentication yes', 'KbdInteractiveAuthentication no'];
const BY_QUESTION = ['PasswordAuthentication no', 'KbdInteractiveAuthentication yes'];

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function started(command: Parameters<typeof PackagedSftpServer.start>[0]): Promise<PackagedSftpServer> {
  const server = await PackagedSftpServer.start(command);
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
async function place(connection: SftpConnection, name = '/drop/4711-1_1.png'): Promise<string[]> {
  for (const content of [png(), png(100_000)]) {
    const there = await connection.sizeOf(name);
    expect(await connection.write(`${name}.part`, [content])).toBe(content.length);
    expect(await connection.sizeOf(`${name}.part`)).toBe(content.length);
    if (there !== null) await connection.remove(name);
    await connection.rename(`${name}.part`, name);
    expect(await connection.sizeOf(name)).toBe(content.length);
  }
  return (await connection.names('/drop')).filter((each) => !each.startsWith('.'));
}

async function errorOf(action: Promise<unknown>): Promise<SftpError> {
  const error = await action.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SftpError)) throw new Error('Nothing was refused', { cause: error });
  return error;
}

const sshd = versionOf('sshd');
const proftpd = versionOf('proftpd');

(sshd === null ? describe.skip : describe)(`OpenSSH (${sshd ?? 'skipped: needs root and sshd'})`, () => {
  it.each([
    ['the password', BY_PASSWORD],
    ['one question, through PAM', BY_QUESTION],
    ['one question, at the only attempt that there is', [...BY_QUESTION, 'MaxAuthTries 1']],
    ['both', ['PasswordAuthentication yes', 'KbdInteractiveAuthentication yes']],
  ])('takes pictures of who logs in by %s (rule 34)', async (_how, settings) => {
    const server = await started(openSsh(settings));
    expect(await place(await open(server))).toEqual(['4711-1_1.png']);
  });

  it.each(['ed25519', 'ecdsa-p256', 'rsa'])(
    'shows the pinned key although it has others: %s (rule 34)',
    async (key) => {
      const server = await started(openSsh(BY_PASSWORD));
      expect(await place(await open(server, { key }))).toEqual(['4711-1_1.png']);
    },
  );

  it.each([
    ['a wrong password', BY_PASSWORD, 'credentials', 'password'],
    ['a wrong password, asked for through PAM', BY_QUESTION, 'credentials', 'keyboard-interactive'],
    ['no password at all', ['AuthenticationMethods publickey'], 'no-password', 'publickey'],
    [
      'a password and one more question',
      ['AuthenticationMethods password,keyboard-interactive', ...BY_QUESTION.slice(1)],
      'log-in-question',
      'keyboard-interactive',
    ],
  ])('refuses who has %s, and it is said (rule 34)', async (what, settings, code, detail) => {
    const server = await started(openSsh(settings));
    const password = what.startsWith('a wrong') ? 'another' : USER.password;
    expect(await errorOf(open(server, { password }))).toMatchObject({ code, detail: expect.stringContaining(detail) });
  });

  it('with old key exchanges only has none in common, and it is said (rule 34)', async () => {
    const server = await started(openSsh(['KexAlgorithms diffie-hellman-group14-sha1', ...BY_PASSWORD]));
    const error = await errorOf(open(server));
    expect(error).toMatchObject({ code: 'no-common-algorithm' });
    expect(error.detail).toContain('no matching key exchange algorithm; the server has: diffie-hellman-group14-sha1');
  });

  it('that allows no renaming refuses it, and the step is said (rule 34)', async () => {
    const server = await started(openSsh([...BY_PASSWORD, 'ForceCommand internal-sftp -P rename']));
    const error = await errorOf(place(await open(server)));
    expect(error).toMatchObject({ code: 'refused', step: 'rename', detail: 'status 3 (PERMISSION_DENIED)' });
  });
});

(proftpd === null ? describe.skip : describe)(`ProFTPD (${proftpd ?? 'skipped: needs root and proftpd'})`, () => {
  it.each(['ed25519', 'ecdsa-p256', 'rsa'])(
    'takes pictures, by the pinned key of several: %s (rule 34)',
    async (key) => {
      const server = await started(proFtpd([]));
      expect(await place(await open(server, { key }))).toEqual(['4711-1_1.png']);
    },
  );

  it('refuses a wrong password, and it is said (rule 34)', async () => {
    const server = await started(proFtpd([]));
    expect(await errorOf(open(server, { password: 'another' }))).toMatchObject({ code: 'credentials' });
  });

  it('that lets only names of pictures pass refuses to write, and the step is said (rule 34)', async () => {
    const server = await started(proFtpd(['PathAllowFilter "\\.(png|jpe?g|webp|gif)$|/drop/?$|^/?$"']));
    const error = await errorOf(place(await open(server)));
    expect(error).toMatchObject({ code: 'refused', step: 'write', detail: expect.stringMatching(/^status [34] /) });
  });
});
