import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@gondola/local-stack/free-port';
import { afterEach, describe, expect, it } from '@jest/globals';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';
import { SshServer } from '../../test/support/ssh-server.ts';
import { SftpConnection } from './sftp-connection.adapter.ts';

const { STATUS_CODE } = ssh2.utils.sftp;
const LOGIN = { host: '127.0.0.1', username: 'imagens', password: 'not-a-secret' };
const HANDLE = Buffer.from('file');
const CHUNK_BYTES = 100_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server whose files behave as a test decides. */
async function serverThat(serve: (sftp: SFTPWrapper, connection: Connection) => void): Promise<SshServer> {
  const server = await SshServer.start((connection) => {
    connection.on('session', (accept) => accept().on('sftp', (acceptSftp) => serve(acceptSftp(), connection)));
  });
  closing.push(() => server.stop());
  return server;
}

const anyTime = (): AbortSignal => new AbortController().signal;

async function open({ port, fingerprint }: SshServer, signal = anyTime()): Promise<SftpConnection> {
  const server = { ...LOGIN, port, hostKeys: [fingerprint] };
  const connection = await SftpConnection.open(server, { connectMs: 30_000, signal });
  closing.push(async () => connection.close());
  return connection;
}

describe('a session with an SFTP server (rule 34)', () => {
  it('shows neither user nor password to a server with another key than the pinned ones', async () => {
    const server = await serverThat(() => {});
    const pinned = { ...LOGIN, port: server.port, hostKeys: [`SHA256:${'a'.repeat(43)}`] };
    await expect(SftpConnection.open(pinned, { connectMs: 30_000, signal: anyTime() })).rejects.toMatchObject({
      code: 'host-key',
      detail: server.fingerprint,
    });
    expect(server.logins).toBe(0);
    await open(server);
    expect(server.logins).toBe(1);
  });

  it('reads no further piece of the content before the server has the one before', async () => {
    const received: number[] = [];
    const server = await serverThat((sftp) => {
      sftp.on('OPEN', (id) => sftp.handle(id, HANDLE));
      sftp.on('WRITE', (id, _handle, _offset, data) => {
        received.push(data.length);
        sftp.status(id, STATUS_CODE.OK);
      });
      sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
    });
    const total = (): number => received.reduce((sum, size) => sum + size, 0);
    const atEachRead: number[] = [];
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let chunk = 0; chunk < 5; chunk += 1) {
        atEachRead.push(total());
        yield Buffer.alloc(CHUNK_BYTES);
      }
    }
    const connection = await open(server);
    expect(await connection.write('/a.png', content())).toBe(5 * CHUNK_BYTES);
    expect(atEachRead).toEqual([0, 1, 2, 3, 4].map((chunks) => chunks * CHUNK_BYTES));
    expect(total()).toBe(5 * CHUNK_BYTES);
  });

  it('distinguishes a server that refuses, one that disconnects, unreadable content, and an abort signal', async () => {
    const server = await serverThat((sftp, connection) => {
      sftp.on('OPEN', (id, path) => {
        if (path === '/full.png') sftp.status(id, STATUS_CODE.FAILURE, 'quota');
        else sftp.handle(id, HANDLE);
      });
      sftp.on('STAT', (id) => sftp.status(id, STATUS_CODE.NO_SUCH_FILE));
      sftp.on('RENAME', (_id, from) => {
        if (from === '/cut.png') connection.end();
      });
    });
    const giveUp = new AbortController();
    const connection = await open(server, giveUp.signal);
    expect(await connection.sizeOf('/nowhere.png')).toBeNull();
    await expect(connection.write('/full.png', [])).rejects.toMatchObject({ code: 'refused' });
    await expect(connection.write('/a.png', unreadable())).rejects.toMatchObject({ code: 'content' });
    const unanswered = connection.rename('/silent.png', '/a.png');
    giveUp.abort();
    await expect(unanswered).rejects.toMatchObject({ code: 'given-up' });
    await expect(connection.sizeOf('/a.png')).rejects.toMatchObject({ code: 'given-up' });
    const other = await open(server);
    await expect(other.rename('/cut.png', '/a.png')).rejects.toMatchObject({ code: 'broken-off' });
  });

  it('is unreachable if nothing listens, and times out if the server is silent', async () => {
    const silent = createServer((socket) => socket.resume());
    // No other server takes this port once it is closed.
    const port = await freePort();
    silent.listen(port, '127.0.0.1');
    await once(silent, 'listening');
    const server = { ...LOGIN, port, hostKeys: [`SHA256:${'a'.repeat(43)}`] };
    const opening = SftpConnection.open(server, { connectMs: 50, signal: anyTime() });
    await expect(opening).rejects.toMatchObject({ code: 'timeout' });
    await new Promise((resolve) => silent.close(resolve));
    await expect(SftpConnection.open(server, { connectMs: 30_000, signal: anyTime() })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});

async function* unreadable(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(0);
  throw new Error('no database');
}
