import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, startConsole, type TestConsole } from './support/console-app.ts';

let app: TestConsole;
let browser: Browser;

beforeAll(async () => {
  const page = {
    'index.html': '<!doctype html><title>Gondola</title>',
    'assets/index-3f2a.js': 'export {};',
    'assets/index-3f2a.js.br': brotliCompressSync('export {};'),
  };
  app = await startConsole({ page });
  browser = new Browser(app.url);
});

afterAll(() => app.stop());

describe('the page', () => {
  it.each(['/', '/orders/100001', '/products/A%20B?tenant=acme', '/products/7.1'])(
    'is answered at %s, to be asked for again each time',
    async (path) => {
      const { status, headers, body } = await browser.call('GET', path);
      expect({ status, body }).toEqual({ status: 200, body: '<!doctype html><title>Gondola</title>' });
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('content-type')).toMatch(/^text\/html/);
    },
  );

  it('comes compressed to a browser that asks for it, as the build wrote it', async () => {
    const { headers } = await browser.call('GET', '/assets/index-3f2a.js', undefined, { 'accept-encoding': 'br' });
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['br', 'accept-encoding']);
  });

  it('has assets that are stored for good, because their names hold a hash', async () => {
    const { status, headers } = await browser.call('GET', '/assets/index-3f2a.js');
    expect({ status, caching: headers.get('cache-control') }).toEqual({
      status: 200,
      caching: 'public, max-age=31536000, immutable',
    });
  });

  it.each(['/assets/gone.js', '/favicon.ico', '/../package.json', '/apps/nothing', '/overview/x'])(
    'answers 404 at %s, with the error body',
    async (path) => {
      const { status, body } = await browser.call('GET', path);
      expect({ path, status }).toEqual({ path, status: 404 });
      expect(body).toMatchObject({ error: { message: expect.any(String) } });
    },
  );

  it('answers no file outside its folder', async () => {
    expect((await browser.call('GET', '/..%2f..%2fpackage.json')).status).toBe(403);
  });

  it('sends a policy that allows nothing from elsewhere and nothing inline, with every answer', async () => {
    for (const path of ['/', '/assets/index-3f2a.js', '/session', '/health/live', '/assets/gone.js']) {
      const { headers } = await browser.call('GET', path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('strict-transport-security')).toBe(null);
    }
  });

  it('answers what an operator may see with no-store', async () => {
    expect((await browser.call('GET', '/session')).headers.get('cache-control')).toBe('no-store');
  });
});

it('asks for https for two years behind https, and names the cookie so that no other host can set it', async () => {
  const secure = await startConsole({ env: { CONSOLE_URL: 'https://console.example.com' } });
  try {
    const answer = await new Browser(secure.url).call(
      'POST',
      '/session/password',
      { name: 'maria', password: 'correct horse battery staple' },
      { origin: 'https://console.example.com' },
    );
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=63072000');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-gondola=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
      expect.stringMatching(
        /^__Host-gondola-browser=[\w-]+\.[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
  } finally {
    await secure.stop();
  }
});
