import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ReceivedRequest, reply, type Reply, TestServer } from './test-server.ts';
import { waitFor } from '../wait-for.ts';

let server: TestServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** A server that answers every request with `answer`, and its received requests. */
async function answering(answer: Reply): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  server = await TestServer.start((each, response) => {
    requests.push(each);
    reply(response, answer);
  });
  return { url: server.url, requests };
}

describe('a server for tests', () => {
  it('gets each request whole, and returns its handler’s answer', async () => {
    const { url, requests } = await answering({ status: 201, json: { id: 1 }, headers: { 'retry-after': '2' } });
    const body = 'ação'.repeat(50_000);
    const answer = await fetch(`${url}/a?b=c`, { method: 'PUT', body, headers: { 'x-one': 'two' } });
    expect(requests).toMatchObject([{ method: 'PUT', path: '/a?b=c', headers: { 'x-one': 'two' } }]);
    expect(requests[0]?.body.toString()).toBe(body);
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([201, '2', { id: 1 }]);
  });

  it('answers with a status alone', async () => {
    const { url } = await answering({ status: 404 });
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([404, '']);
  });

  it('drops a connection', async () => {
    const { url, requests } = await answering('drop');
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(requests).toHaveLength(1);
  });

  it('can leave a request without an answer until it stops', async () => {
    const { url, requests } = await answering('hang');
    const hanging = fetch(url).catch(() => 'ended');
    await waitFor(() => requests.length === 1, { describe: 'the request' });
    await server?.stop();
    server = undefined;
    expect(await hanging).toBe('ended');
  });

  it('calls no handler for an aborted request, and serves the next', async () => {
    const { url, requests } = await answering({ status: 200 });
    const half = request(url, { method: 'POST', headers: { 'content-length': 10 } });
    half.on('error', () => undefined);
    half.write('half');
    await once(half, 'socket');
    await waitFor(() => half.socket?.bytesWritten, { describe: 'the first half to be sent' });
    half.destroy();
    expect((await fetch(url)).status).toBe(200);
    expect(requests).toMatchObject([{ method: 'GET' }]);
  });
});
