import { freePort } from '@gondola/local-stack/free-port';
import { testStack } from '@gondola/local-stack/test-stack';
import { describe, expect, it } from '@jest/globals';
import { reachExternalServers } from './external-servers.ts';

const { kafkaBrokers, databaseUrl } = testStack();

/** A changed URL of the test stack's database. */
function changed(change: (url: URL) => void): string {
  const url = new URL(databaseUrl);
  change(url);
  return url.href;
}

describe('servers that npm start is given', () => {
  it('are taken where they answer', async () => {
    await expect(reachExternalServers({ kafkaBrokers, databaseUrl })).resolves.toBeUndefined();
    await expect(reachExternalServers({})).resolves.toBeUndefined();
  });

  it('that are away are one sentence that names the variable', async () => {
    const away = `127.0.0.1:${await freePort()}`;
    await expect(reachExternalServers({ kafkaBrokers: away })).rejects.toThrow(`no Kafka (${away}) answers`);
    await expect(reachExternalServers({ databaseUrl: changed((url) => (url.host = away)) })).rejects.toThrow(
      `PostgreSQL (${away}) takes no connections: check the address and the network, and whether it runs (ECONNREFUSED)`,
    );
  });

  it.each([
    [
      'no password',
      changed((url) => (url.password = '')),
      /^DATABASE_URL: .* the password is missing, which PostgreSQL /,
    ],
    [
      'another password',
      changed((url) => (url.password = 'wrong-secret')),
      /^DATABASE_URL: .* refuses the user or the password/,
    ],
    [
      'an unknown database',
      changed((url) => (url.pathname = '/nowhere')),
      /^DATABASE_URL: .* has no such database "nowhere"/,
    ],
    ['another protocol', 'mysql://a:wrong-secret@127.0.0.1/b', /^DATABASE_URL: esperado \/ expected: postgres:/],
  ])('a database URL with %s is one sentence without the secret', async (_what, url, sentence) => {
    const failure = await reachExternalServers({ databaseUrl: url }).catch((error: Error) => error.message);
    expect(failure).toMatch(sentence);
    expect(failure).not.toMatch(/wrong-secret|\n/);
  });

  it('brokers without a port are said', async () => {
    await expect(reachExternalServers({ kafkaBrokers: 'kafka' })).rejects.toThrow(
      'KAFKA_BROKERS: esperado / expected: host:porta',
    );
  });
});
