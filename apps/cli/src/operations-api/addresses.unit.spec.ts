import { describe, expect, it } from '@jest/globals';
import { type AddressSource, addressVariable, chooseAddress, chooseToken } from './addresses.ts';

const nowhere = { env: {}, run: null };
const run = (content: unknown) => ({ path: '/shop/.gondola/run.json', content, token: null });

describe('chooseAddress', () => {
  it('takes the option before the environment, that before run.json, and that before the default port', () => {
    const option = 'https://ops.example.com/ingest/';
    const env = { GONDOLA_WEBHOOK_INGEST_URL: 'http://10.0.0.7:8081' };
    const file = run({ 'webhook-ingest': 'http://127.0.0.1:12345' });
    const all = { option, env, run: file };
    expect(chooseAddress('webhook-ingest', all)).toMatchObject({
      url: 'https://ops.example.com/ingest',
      source: { kind: 'option' },
    });
    expect(chooseAddress('webhook-ingest', { env, run: file })).toMatchObject({
      url: 'http://10.0.0.7:8081',
      source: { kind: 'environment', name: 'GONDOLA_WEBHOOK_INGEST_URL' },
    });
    expect(chooseAddress('webhook-ingest', { env: {}, run: file })).toMatchObject({
      url: 'http://127.0.0.1:12345',
      source: { kind: 'run-file', path: '/shop/.gondola/run.json' },
    });
    expect(chooseAddress('webhook-ingest', nowhere)).toMatchObject({
      url: 'http://127.0.0.1:8081',
      source: { kind: 'default' },
    });
  });

  it.each([
    ['catalog-publisher', 8084],
    ['order-command-handler', 8083],
    ['file-gateway', 8082],
  ] as const)('looks for %s on port %d', (app, port) => {
    expect(chooseAddress(app, nowhere)).toMatchObject({ url: `http://127.0.0.1:${port}` });
  });

  it('does not mind an empty variable, nor a run.json that does not know the app or is broken', () => {
    const env = { GONDOLA_FILE_GATEWAY_URL: '' };
    for (const file of [run({}), run(null), run('text')])
      expect(chooseAddress('file-gateway', { env, run: file })).toMatchObject({ source: { kind: 'default' } });
  });

  it.each(['127.0.0.1:8081', 'ftp://ops.example.com', 'gondola', ''])('refuses %j, which is no address', (option) => {
    expect(chooseAddress('webhook-ingest', { ...nowhere, option })).toMatchObject({ problem: 'no-url' });
  });

  it('refuses a user and a password, which would be printed', () => {
    const option = 'http://ops:secret@127.0.0.1:8081';
    expect(chooseAddress('webhook-ingest', { ...nowhere, option })).toMatchObject({ problem: 'has-credentials' });
  });

  it.each(['http://ops.example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.7:8081'])(
    'does not let a run.json send the token to %s',
    (url) => {
      const file = run({ 'webhook-ingest': url });
      expect(chooseAddress('webhook-ingest', { env: {}, run: file })).toMatchObject({ problem: 'not-local' });
    },
  );

  it.each(['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9'])('takes %s from a run.json', (url) => {
    expect(chooseAddress('webhook-ingest', { env: {}, run: run({ 'webhook-ingest': url }) })).toMatchObject({ url });
  });
});

const at = (source: AddressSource) => ({ kind: 'address', url: 'http://127.0.0.1:8081', source }) as const;

describe('chooseToken', () => {
  const runFile = at({ kind: 'run-file', path: '/shop/.gondola/run.json' });
  const withToken = { ...run({}), token: 'of-npm-start' };

  it('takes the environment before run.json', () => {
    expect(chooseToken(runFile, { token: 'of-the-environment', run: withToken })).toBe('of-the-environment');
    expect(chooseToken(runFile, { token: null, run: withToken })).toBe('of-npm-start');
    expect(chooseToken(runFile, { token: null, run: run({}) })).toBeNull();
  });

  it.each([
    { kind: 'option' },
    { kind: 'environment', name: 'GONDOLA_WEBHOOK_INGEST_URL' },
    { kind: 'default' },
  ] as const)('does not show the token of run.json to an address of another source (%j)', (source) => {
    expect(chooseToken(at(source), { token: null, run: withToken })).toBeNull();
    expect(chooseToken(at(source), { token: 'of-the-environment', run: withToken })).toBe('of-the-environment');
  });
});

describe('addressVariable', () => {
  it('is named after the app', () => {
    expect(addressVariable('order-command-handler')).toBe('GONDOLA_ORDER_COMMAND_HANDLER_URL');
  });
});
