import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms } from '@gondola/local-stack/host-environment';
import { type PostgresServer, startPostgres } from '@gondola/local-stack/postgres';
import { temporaryFolder } from '@gondola/local-stack/testing/temporary-folder';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Client } from 'pg';
import { SettingError } from '../config/config.ts';
import { classifyDatabaseError } from './database-errors.ts';
import { Database } from './database.ts';

const run = promisify(execFile);
const [openssl] = await findPrograms('openssl', process.env as Record<string, string>);

let server: PostgresServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database | undefined;

/** PEM of a server's certificate and of its key. */
interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A private authority, and a certificate that it issues for `localhost`. */
async function makeCertificates(place: string): Promise<Certificate> {
  const [ca, caKey, pem, key] = ['ca.pem', 'ca.key', 'server.pem', 'server.key'].map((name) => join(place, name));
  const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  await run(openssl!, [...make, '-subj', '/CN=authority', '-keyout', caKey!, '-out', ca!]);
  const own = ['-subj', '/CN=server', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key!, '-out', pem!];
  await run(openssl!, [...make, '-CA', ca!, '-CAkey', caKey!, ...own]);
  return { certificate: await readFile(pem!, 'utf8'), key: await readFile(key!, 'utf8') };
}

/** Makes the server speak TLS; it writes its own files, for it alone may read them. */
async function offerTls(url: string, { certificate, key }: Certificate): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const [name, content] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
    const lines = `SELECT regexp_split_to_table('${content}', '\\n')`;
    await client.query(`COPY (${lines}) TO PROGRAM 'umask 077 && cat > ${name}'`);
  }
  await client.query('ALTER SYSTEM SET ssl = on');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

function connecting(host: string, parameters: Record<string, string>): Promise<void> {
  const url = new URL(server.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  database = new Database({ url: url.href, schema: 'shelves', migrations: [] });
  return database.connect();
}

(openssl === undefined ? describe.skip : describe)('a PostgreSQL whose certificate a private authority issued', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await startPostgres({ durable: false });
    await offerTls(server.url, await makeCertificates(folder.path));
  });

  afterEach(() => database?.close());

  afterAll(async () => {
    await server.stop();
    await folder[Symbol.asyncDispose]();
  });

  it('is used over TLS where the address names the authority', async () => {
    const parameters = { sslmode: 'verify-full', sslrootcert: join(folder.path, 'ca.pem') };
    // The server takes up its certificate a moment after it was told to.
    await waitFor(() => connecting('localhost', parameters).then(() => true), { describe: 'a connection over TLS' });
    const { rows } = await database!.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    expect(rows).toEqual([{ ssl: true }]);
  });

  it.each([
    ['an unknown authority', 'localhost', {}, /certificate of PostgreSQL .+ is not valid here: name the authority/],
    ['another host', '127.0.0.1', { sslrootcert: 'ca.pem' }, /is not valid here: .+and the host that it names/],
    ['a missing file', 'localhost', { sslrootcert: 'none.pem' }, /sslrootcert, sslcert or sslkey cannot be read/],
    ['a folder', 'localhost', { sslrootcert: '.' }, /sslrootcert, sslcert or sslkey cannot be read/],
    ['no certificate', 'localhost', { sslcert: 'nothing' }, /sslrootcert, sslcert or sslkey cannot be read/],
  ])('is refused with %s, in one sentence', async (_what, host, files, sentence) => {
    await writeFile(join(folder.path, 'nothing'), 'no certificate');
    const placed = Object.entries(files).map(([name, file]) => [name, join(folder.path, file)]);
    const refused = connecting(host, { sslmode: 'verify-full', ...Object.fromEntries(placed) });
    const error = await refused.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SettingError);
    expect((error as SettingError).message).toMatch(sentence);
    expect(classifyDatabaseError(error)).toBe('bug');
  });
});
