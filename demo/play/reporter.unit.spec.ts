import { describe, expect, it } from '@jest/globals';
import { runningLines } from './reporter.ts';

describe('what npm start prints once all runs', () => {
  it.each([
    ['/shop/.gondola', '  also in .gondola/run.json; logs in .gondola/logs'],
    ['/elsewhere/second', '  also in /elsewhere/second/run.json; logs in /elsewhere/second/logs'],
  ])('has the paths of its own folder (%s)', (folder, last) => {
    const urls = { 'webhook-ingest': 'http://127.0.0.1:8081' };
    const files = { addressesFile: `${folder}/run.json`, logDir: `${folder}/logs` };
    const consoleLink = 'http://127.0.0.1:8085/#link=once';
    const servers = { kafka: '127.0.0.1:9092', postgres: '127.0.0.1:5432' };
    const lines = runningLines({ ...servers, urls, consoleLink, ...files }, '/shop');
    expect(lines).toEqual([
      'Running until Ctrl-C:',
      '  Kafka                  127.0.0.1:9092',
      '  PostgreSQL             127.0.0.1:5432',
      '  webhook-ingest         http://127.0.0.1:8081',
      last,
      'The console, which this link signs in once: http://127.0.0.1:8085/#link=once',
    ]);
  });
});
