import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { freePort } from '@gondola/local-stack/free-port';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isPublicAddress } from '@gondola/shared/reachable-address';
import { DnsServer } from '../../test/support/dns-server.ts';
import { FetchError } from './fetch-error.ts';
import { HostAddresses } from './host-addresses.adapter.ts';
import { UrlContent } from './url-content.adapter.ts';

const TENANT = 'acme';
const MAX_BYTES = 1_000;
/** Longer than a busy machine takes to answer. */
const TIMEOUT_MS = 60_000;
/** For a server that never answers. */
const SHORT_TIMEOUT_MS = 500;
/** Stands for a host on the internet; the servers on 127.0.0.1 and ::1 must never be reached. */
const OUTSIDE = '127.0.0.2';

/** The tenant's list allows each of these, so only the address rule refuses it. */
const NOTATIONS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '00000177.0.0.0x1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '127%2e0%2e0%2e1',
  'localhost',
  'LOCALHOST.',
  'images.localhost',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[::ffff:169.254.169.254]',
  '169.254.169.254',
  '2852039166',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '255.255.255.255',
  'metadata.google.internal',
  'printer',
];

/** Answers of the DNS server. */
const RESOLVED: Readonly<Record<string, readonly string[]>> = {
  'loopback.example.com': ['127.0.0.1'],
  'loopback-six.example.com': ['::1'],
  'any.example.com': ['0.0.0.0'],
  'any-six.example.com': ['::'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'translated.example.com': ['64:ff9b::7f00:1'],
  'private.example.com': ['10.0.0.1'],
  'link-local.example.com': ['169.254.169.254'],
  'link-local-six.example.com': ['fe80::1'],
  'unique-local.example.com': ['fd00:ec2::254'],
  'one-of-two.example.com': [OUTSIDE, '127.0.0.1'],
  'six-of-two.example.com': [OUTSIDE, '::1'],
};

/** `%` stands for the port of all servers. */
const TRICKS = [
  'http://cdn.example.com@127.0.0.1:%/',
  'http://cdn.example.com:80@127.0.0.1:%/',
  'http://cdn.example.com%40127.0.0.1:%/',
  'http://127.0.0.1:%#@cdn.example.com/',
  'http://127.0.0.1:%?@cdn.example.com/',
  'http://127.0.0.1:%\\@cdn.example.com/',
  'http:127.0.0.1:%/',
  'http:////127.0.0.1:%/',
  '\thttp://127.0.0.1:%/',
  'HTTP://127.0.0.1:%/',
  'file:///etc/hostname',
  'ftp://127.0.0.1:%/',
  'data:image/png;base64,iVBORw0KGgo=',
  'http://cdn.example.com.127.0.0.1.nip.example.com:%/',
];

/** Redirects of the outside host. */
const REDIRECTS: Readonly<Record<string, string>> = {
  '/to-address': 'http://127.0.0.1:%/',
  '/to-six': 'http://[::1]:%/',
  '/to-mapped': 'http://[::ffff:127.0.0.1]:%/',
  '/to-name': 'http://loopback.example.com:%/',
  '/to-scheme-less': '//127.0.0.1:%/',
  '/to-file': 'file:///etc/hostname',
  '/to-user': 'http://user:password@cdn.example.com:%/picture',
  '/to-stranger': 'http://stranger.example.com:%/picture',
  '/chain': '/chain-2',
  '/chain-2': 'http://cdn.example.com:%/chain-3',
  '/chain-3': 'http://127.1:%/',
  '/rebound': 'http://rebinding.example.com:%/again',
  '/for-ever': '/for-ever',
};

describe('content by URL', () => {
  let dns: DnsServer;
  let outside: Server;
  let victims: Server[];
  let port: number;
  let content: UrlContent;
  let hasty: UrlContent;
  const reached: string[] = [];

  beforeAll(async () => {
    dns = await DnsServer.start();
    port = await freePort();
    outside = await listening(OUTSIDE, port, (path, response) => answer(path, response));
    victims = await Promise.all(
      ['127.0.0.1', '::1'].map((host) => listening(host, port, (_path, to) => to.end('secret'))),
    );
    for (const victim of victims) victim.on('connection', () => reached.push('victim'));
    for (const [name, addresses] of Object.entries(RESOLVED)) dns.name(name, () => addresses);
    dns.name('cdn.example.com', () => [OUTSIDE]);
    dns.name('stranger.example.com', () => [OUTSIDE]);
    const rule = { allows: (address: string) => address === OUTSIDE || isPublicAddress(address) };
    const named = [...NOTATIONS, 'cdn.example.com', 'rebinding.example.com', ...Object.keys(RESOLVED)];
    const allowedHosts = [...named.map((host) => `http://${host}:${port}`), '*.nip.example.com', 'cdn.example.com'];
    const tenants = [{ id: TENANT, files: { allowedHosts } }];
    const within = (timeoutMs: number): UrlContent => {
      const fetching = { dnsServers: [dns.address], timeoutMs };
      const config = { uploads: { maxBytes: MAX_BYTES }, fetching };
      return new UrlContent(new HostAddresses(rule, { fetching }), config, tenants);
    };
    content = within(TIMEOUT_MS);
    hasty = within(SHORT_TIMEOUT_MS);
  });

  beforeEach(() => {
    reached.length = 0;
    dns.asked.length = 0;
  });

  afterAll(async () => {
    for (const server of [outside, ...victims]) {
      server.closeAllConnections();
      server.close();
    }
    await dns.stop();
  });

  function answer(path: string, response: ServerResponse): void {
    const location = REDIRECTS[path];
    if (location !== undefined) response.writeHead(302, { location: location.replace('%', String(port)) }).end();
    else if (path === '/picture') response.end('a picture');
    else if (path === '/large') response.writeHead(200, { 'content-length': MAX_BYTES + 1 }).end();
    else if (path === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end();
    else if (path === '/silent') return;
    else if (path === '/in-pieces') response.write('a', () => response.end(Buffer.alloc(200_000)));
    else response.writeHead(path === '/gone' ? 404 : 500).end();
  }

  const urlOf = (host: string, path = '/picture') => `http://${host}:${port}${path}`;

  async function fetched(url: string, signal = new AbortController().signal, by = content): Promise<string> {
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of by.read(TENANT, url, signal)) pieces.push(piece);
    } catch (error) {
      if (error instanceof FetchError) return error.why;
      throw error;
    }
    return Buffer.concat(pieces).toString();
  }

  it('comes from a host that is allowed, looked up once (rule 31)', async () => {
    expect(await fetched(urlOf('cdn.example.com'))).toBe('a picture');
    expect(dns.asked).toEqual(['cdn.example.com']);
  });

  it.each(NOTATIONS)('is not connected to %s, although the list has it (rule 31)', async (host) => {
    expect(['address-not-allowed', 'url-malformed']).toContain(await fetched(urlOf(host)));
    expect(reached).toEqual([]);
    expect(dns.asked).toEqual([]);
  });

  it.each(Object.keys(RESOLVED))('is not connected to by %s (rule 31)', async (host) => {
    expect(await fetched(urlOf(host))).toBe('address-not-allowed');
    expect(reached).toEqual([]);
  });

  it.each(TRICKS)('is not fetched from %j (rule 31)', async (url) => {
    const refusals = ['address-not-allowed', 'url-malformed', 'url-not-https', 'url-user-info', 'host-not-allowed'];
    expect(refusals).toContain(await fetched(url.replace('%/', `${port}/`).replace(':%', `:${port}`)));
    expect(reached).toEqual([]);
  });

  it.each([
    ['/to-address', 'address-not-allowed'],
    ['/to-six', 'address-not-allowed'],
    ['/to-mapped', 'address-not-allowed'],
    ['/to-name', 'address-not-allowed'],
    ['/to-scheme-less', 'address-not-allowed'],
    ['/to-file', 'url-not-https'],
    ['/to-user', 'url-user-info'],
    ['/to-stranger', 'url-not-https'],
    ['/chain', 'address-not-allowed'],
    ['/for-ever', 'too-many-redirects'],
  ])('is not followed through the redirection %s (rule 31)', async (path, why) => {
    expect(await fetched(urlOf('cdn.example.com', path))).toBe(why);
    expect(reached).toEqual([]);
  });

  it('comes from the checked address, and a name is checked again for each connection (rule 31)', async () => {
    const answers = [[OUTSIDE], ['127.0.0.1']];
    let questions = 0;
    // Both queries of a look-up get the same answer; the next look-up gets the next one.
    dns.name('rebinding.example.com', () => answers[Math.min(Math.floor(questions++ / 2), 1)]!);
    expect(await fetched(urlOf('rebinding.example.com'))).toBe('a picture');
    expect(await fetched(urlOf('rebinding.example.com'))).toBe('address-not-allowed');
    questions = 2;
    expect(await fetched(urlOf('cdn.example.com', '/rebound'))).toBe('address-not-allowed');
    expect(reached).toEqual([]);
  });

  it.each([
    ['/large', 'too-large'],
    ['/packed', 'encoded'],
    ['/gone', 'not-there'],
    ['/broken', 'unreachable'],
  ])('ends with what is wrong with %s: %s (rule 31)', async (path, why) => {
    expect(await fetched(urlOf('cdn.example.com', path))).toBe(why);
  });

  it('ends in time where its server is silent', async () => {
    expect(await fetched(urlOf('cdn.example.com', '/silent'), new AbortController().signal, hasty)).toBe('unreachable');
  });

  it('has its time only while its server is waited for, not while it is stored (rule 31)', async () => {
    let bytes = 0;
    for await (const piece of hasty.read(
      TENANT,
      urlOf('cdn.example.com', '/in-pieces'),
      new AbortController().signal,
    )) {
      // As a slow database takes it.
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 2 * SHORT_TIMEOUT_MS));
      bytes += piece.length;
    }
    expect(bytes).toBe(200_001);
  });

  it('is unreachable where the name or the server is not there', async () => {
    expect(await fetched(urlOf('cdn.example.com').replace(String(port), '1'))).toBe('url-not-https');
    expect(await fetched(`https://cdn.example.com/picture`)).toBe('unreachable');
  });

  it('ends with its caller', async () => {
    const caller = AbortSignal.abort(new Error('the lane is handed back'));
    await expect(fetched(urlOf('cdn.example.com'), caller)).rejects.toThrow('handed back');
  });
});

async function listening(
  host: string,
  port: number,
  handle: (path: string, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer((request, response) => handle(request.url ?? '', response));
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
