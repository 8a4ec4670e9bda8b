import { describe, expect, it } from '@jest/globals';
import type { Address } from '../operations-api/addresses.ts';
import type { ApiFailure, ApiRequest } from '../operations-api/operations-api.ts';
import { explainFailure, failedReport } from './explain-failure.ts';
import { sayIn } from '../texts/texts.ts';

const address: Address = { kind: 'address', url: 'http://127.0.0.1:8081', source: { kind: 'default' } };
const get: ApiRequest = { app: 'webhook-ingest', method: 'GET', path: '/api/quarantine/17' };
const post: ApiRequest = { ...get, method: 'POST', path: '/api/quarantine/17/discard' };
const called = { request: get, address };

describe('explainFailure', () => {
  it.each<[string, ApiFailure, { code: string; exit: number; message: RegExp }]>([
    [
      'no server',
      { kind: 'unreachable', reason: 'ECONNREFUSED', ...called },
      { code: 'UNREACHABLE', exit: 3, message: /8081 \(default port\): ECONNREFUSED/ },
    ],
    [
      'a slow read',
      { kind: 'silent', ms: 10_000, ...called },
      { code: 'TIMEOUT', exit: 3, message: /within 10000 ms; try again/ },
    ],
    [
      'a slow change',
      { kind: 'silent', ms: 9, request: post, address },
      { code: 'TIMEOUT', exit: 3, message: /may have been made or not/ },
    ],
    [
      'no token',
      { kind: 'unauthorized', hasToken: false, ...called },
      { code: 'UNAUTHORIZED', exit: 4, message: /set OPERATIONS_TOKEN/ },
    ],
    [
      'a wrong token',
      { kind: 'unauthorized', hasToken: true, ...called },
      { code: 'UNAUTHORIZED', exit: 4, message: /does not accept this/ },
    ],
    [
      'another server',
      { kind: 'not-understood', status: 200, ...called },
      { code: 'NOT_UNDERSTOOD', exit: 1, message: /answered 200/ },
    ],
    [
      'an unknown id',
      { kind: 'refused', status: 404, code: 'NOT_FOUND', message: 'x', ...called },
      { code: 'NOT_FOUND', exit: 1, message: /does not have \/api\/quarantine\/17/ },
    ],
    [
      'a no',
      { kind: 'refused', status: 409, code: 'CONFLICT', message: 'It was discarded', ...called },
      { code: 'CONFLICT', exit: 1, message: /409 CONFLICT\): It was discarded/ },
    ],
    [
      'an app without its database',
      { kind: 'refused', status: 503, code: 'DATABASE_AWAY', message: 'Repeat it later', ...called },
      { code: 'DATABASE_AWAY', exit: 3, message: /503 DATABASE_AWAY\): Repeat it later/ },
    ],
    [
      'a proxy without the app',
      { kind: 'not-understood', status: 502, ...called },
      { code: 'NOT_UNDERSTOOD', exit: 3, message: /answered 502/ },
    ],
    [
      'a no without words',
      { kind: 'refused', status: 500, code: null, message: null, ...called },
      { code: 'HTTP_500', exit: 1, message: /500/ },
    ],
  ])('%s is one sentence with where, and an exit code', (_what, failure, { code, exit, message }) => {
    const said = explainFailure(failure, sayIn('en'));
    expect(said).toMatchObject({ code, exit });
    expect(said.message).toMatch(message);
    expect(said.message).toContain('webhook-ingest');
    expect(said.message).not.toContain('\n');
    expect(explainFailure(failure, sayIn('pt-BR')).message).not.toBe(said.message);
  });

  it.each([
    [{ kind: 'option' } as const, 'no-url' as const, /--api-url.*127\.0\.0\.1:8081/],
    [
      { kind: 'environment', name: 'GONDOLA_WEBHOOK_INGEST_URL' } as const,
      'has-credentials' as const,
      /^GONDOLA_WEBHOOK_INGEST_URL/,
    ],
    [
      { kind: 'run-file', path: '/shop/.gondola/run.json' } as const,
      'not-local' as const,
      /run\.json.*GONDOLA_WEBHOOK_INGEST_URL/,
    ],
  ])('a wrong address is wrong usage, with where it stands: %j %s', (source, problem, message) => {
    const failure: ApiFailure = {
      kind: 'wrong-address',
      request: get,
      wrong: { kind: 'wrong-address', source, problem },
    };
    expect(explainFailure(failure, sayIn('en'))).toMatchObject({ code: 'WRONG_ADDRESS', exit: 2 });
    expect(explainFailure(failure, sayIn('en')).message).toMatch(message);
  });
});

describe('failedReport', () => {
  it('has the error in the document and its sentence in the notes', () => {
    expect(failedReport({ code: 'TIMEOUT', message: 'No answer.', exit: 3 })).toEqual({
      json: { error: { code: 'TIMEOUT', message: 'No answer.' } },
      blocks: [],
      notes: ['No answer.'],
      exit: 3,
    });
  });
});
