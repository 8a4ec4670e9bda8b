import { isKnownAfter } from '@gondola/service-kit/testing/known-caller';
import { openApiGaps } from '@gondola/service-kit/testing/openapi-gaps';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TEST_OPERATIONS_TOKEN } from '@gondola/local-stack/testing/as-operator';
import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NFE_XML, pdf, png } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';
import { OTHER_TOKEN, TOKEN } from './support/tenants.ts';

const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };
const MEGABYTE = 1_000_000;
const LARGE = sized(20, 95) * MEGABYTE;
const LIMIT = LARGE;
const QUOTA = 10 * LARGE;
const PIECE = MEGABYTE / 2;
/** Looks at the memory of each upload. An upload with more of them would show a higher peak. */
const LOOKS = 10;
const KEEP_MS = 3_600_000;

interface Stored {
  readonly uploadId: string;
  readonly expiresAt: string;
}

describe('an upload', () => {
  let app: FileApp;

  beforeAll(async () => {
    const limits = { UPLOAD_MAX_BYTES: String(LIMIT), UPLOAD_QUOTA_BYTES: String(QUOTA) };
    const env = { ...limits, UPLOAD_KEEP_MS: String(KEEP_MS), UPLOAD_CLEANUP_MS: '100' };
    app = await FileApp.start('uploads', { env });
  });

  afterAll(() => app.stop());

  /** Makes all complete uploads expire. */
  const expire = () => app.database.query(`UPDATE uploads SET expires_at = now() WHERE state = 'complete'`);

  /** Checks that nothing is stored of incomplete uploads, nor of expired ones. */
  const nothingIsLeft = async () => {
    await expire();
    await app.until(
      'nothing to be left',
      async () => (await app.count('uploads')) + (await app.count('upload_chunks')) === 0,
    );
  };

  /** Number of uploads with this outcome, as operators see it. */
  const counted = async (outcome: string): Promise<number> => {
    const metrics = await (await fetch(`${app.installation.running.url}/metrics`)).text();
    return Number(new RegExp(`gondola_uploads_total\\{outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
  };

  /** Breaks a request off, and waits until the app has dealt with that. */
  const breakOff = async (request: ReturnType<typeof open>): Promise<void> => {
    const before = await counted('broken-off');
    request.destroy();
    await app.until('it to be counted', async () => (await counted('broken-off')) === before + 1);
  };

  /** Opens a request whose body the test writes. */
  const open = (headers: Record<string, string>) => {
    const request = httpRequest(`${app.installation.running.url}/uploads`, { method: 'POST', headers });
    // The connection may be closed when the test writes after the answer.
    request.on('error', () => {});
    return request;
  };

  const answerOf = async (request: ReturnType<typeof open>) => {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: JSON.parse(await text(response)) as { error?: { message: string } } };
  };

  it('as a raw body is stored, and shown to its tenant alone (rule 31)', async () => {
    const content = png(600_000);
    // The sender's content type decides nothing.
    const response = await app.post(content, { ...AUTHORIZATION, 'content-type': 'text/plain; charset=nonsense' });
    expect(response.status).toBe(201);
    const stored = (await response.json()) as Stored;
    expect(stored).toEqual({
      uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sha256: createHash('sha256').update(content).digest('hex'),
      size: 600_000,
      mediaType: 'image/png',
      expiresAt: expect.any(String),
    });
    // Another unit or setting would give a far different value; the tolerance suits any machine.
    expect(Math.abs(Date.parse(stored.expiresAt) - Date.now() - KEEP_MS)).toBeLessThan(KEEP_MS / 2);
    expect(await app.get(`/uploads/${stored.uploadId}`, AUTHORIZATION)).toEqual({ status: 200, body: stored });
    const others = { authorization: `Bearer ${OTHER_TOKEN}` };
    expect(await app.get(`/uploads/${stored.uploadId}`, others)).toMatchObject({ status: 404 });
    expect(await app.get(`/uploads/${randomUUID()}`, AUTHORIZATION)).toMatchObject({ status: 404 });
    expect(await app.get('/uploads/%00', AUTHORIZATION)).toMatchObject({ status: 404 });
    expect(await app.get(`/uploads/${stored.uploadId}`)).toMatchObject({ status: 401 });
  });

  it('is taken from an operator too, for the tenant that is named (rule 31)', async () => {
    const url = `${app.installation.running.url}/api/uploads`;
    const send = (query: string, init: RequestInit) => fetch(url + query, { ...init, method: 'POST', body: png(700) });
    const own = { headers: { authorization: `Bearer ${TEST_OPERATIONS_TOKEN}` } };
    const response = await send('?tenant=acme', own);
    expect(response.status).toBe(201);
    const stored = (await response.json()) as Stored;
    expect(await app.get(`/uploads/${stored.uploadId}`, AUTHORIZATION)).toEqual({ status: 200, body: stored });
    expect((await send('?tenant=nobody', own)).status).toBe(400);
    expect((await send('?tenant=acme&tenant=other', own)).status).toBe(400);
    for (const headers of [{}, AUTHORIZATION]) expect((await send('?tenant=acme', { headers })).status).toBe(401);
  });

  it('as multipart is the part named file, beside text fields (rule 31)', async () => {
    const content = pdf(300_001);
    const form = new FormData();
    form.set('description', 'DANFE');
    form.set('file', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'danfe.png');
    const response = await app.post(form, AUTHORIZATION);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      sha256: createHash('sha256').update(content).digest('hex'),
      size: 300_001,
      mediaType: 'application/pdf',
    });
  });

  it('without a good token is 401 before a byte of it is read (rule 31)', async () => {
    for (const authorization of ['', 'Bearer nobody', `Basic ${TOKEN}`, TOKEN]) {
      const request = open({ authorization, 'content-length': String(LIMIT), expect: '100-continue' });
      request.flushHeaders();
      expect(await answerOf(request)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
      request.destroy();
    }
  });

  it('makes its sender a known one by the token alone', async () => {
    for (const [authorization, isKnown] of [
      [`Bearer ${TOKEN}`, true],
      ['Bearer nobody', false],
    ] as const) {
      const call = { path: '/uploads?sha256=0', headers: { authorization } };
      expect([authorization, await isKnownAfter(app.installation.running, call)]).toEqual([authorization, isKnown]);
    }
  });

  it('without a good token is cut off when it does not stop after its 401', async () => {
    const request = open({ 'content-length': String(LIMIT) });
    const [socket] = (await once(request, 'socket')) as [Socket];
    const closed = new Promise((resolve) => void socket.once('close', resolve));
    const timer = setInterval(() => request.write(png(1_000)), 50);
    expect(await answerOf(request)).toMatchObject({ status: 401 });
    await closed;
    clearInterval(timer);
  });

  it.each<[string, Buffer, string]>([
    ['the XML of an NF-e', NFE_XML, 'Isto é o XML da NF-e. Envie o DANFE em PDF.'],
    ['a picture of a phone', Buffer.from('\0\0\0\u0018ftypheic'), 'Isto é uma imagem HEIC. Envie-a como PNG, JPEG'],
    ['neither image nor PDF', Buffer.from('PK\u0003\u0004'), 'nem um PDF'],
    ['empty', Buffer.alloc(0), 'nem um PDF'],
  ])('that is %s is 415 with a sentence (rule 33)', async (_, content, sentence) => {
    const response = await app.post(content, { ...AUTHORIZATION, 'content-type': 'application/pdf' });
    expect(response.status).toBe(415);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('MEDIA_TYPE');
    expect(error.message).toContain(sentence);
    await nothingIsLeft();
  });

  it.each<[string, () => FormData]>([
    ['no file', () => formOf()],
    ['a file under another name', () => formOf(['image', png()])],
    ['two files', () => formOf(['file', png()], ['file', png()])],
    ['a file and another one', () => formOf(['file', png()], ['more', png()])],
  ])('in a form with %s is 400 and leaves nothing', async (_, form) => {
    const response = await app.post(form(), AUTHORIZATION);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('"file"') } });
    await nothingIsLeft();
  });

  it.each<[string, string, string]>([
    ['without its boundary', 'multipart/form-data', 'x'],
    ['without its end', 'multipart/form-data; boundary=b', formText('b').slice(0, -6)],
    ['of another boundary', 'multipart/form-data; boundary=c', formText('b')],
  ])('in a form %s is 400 and leaves nothing', async (_, type, body) => {
    const response = await app.post(Buffer.from(body, 'latin1'), { ...AUTHORIZATION, 'content-type': type });
    expect(response.status).toBe(400);
    await nothingIsLeft();
  });

  it('that is announced over the limit is 413 at once (rule 31)', async () => {
    const request = open({ ...AUTHORIZATION, 'content-length': String(LIMIT + MEGABYTE) });
    request.write(png());
    expect(await answerOf(request)).toMatchObject({ status: 413, body: { error: { code: 'TOO_LARGE' } } });
    request.destroy();
  });

  it('that turns out to be over the limit is 413 while it still comes, and leaves nothing (rule 31)', async () => {
    const request = open({ ...AUTHORIZATION, 'transfer-encoding': 'chunked' });
    const answer = answerOf(request);
    request.write(png(MEGABYTE));
    for (let sent = MEGABYTE; sent <= LIMIT; sent += MEGABYTE) {
      if (!request.write(Buffer.alloc(MEGABYTE, 7))) await Promise.race([once(request, 'drain'), answer]);
    }
    // The request has not ended.
    const { status, body } = await answer;
    request.destroy();
    expect(status).toBe(413);
    expect(body.error?.message).toContain(String(LIMIT));
    await nothingIsLeft();
  });

  it.each([
    ['a raw body', {}, ''],
    ['a form', { 'content-type': 'multipart/form-data; boundary=b' }, formText('b').slice(0, -6)],
  ])('of %s that breaks off leaves nothing (rule 31)', async (_, type, start) => {
    const request = open({ ...AUTHORIZATION, ...type, 'content-length': String(5 * MEGABYTE) });
    request.write(
      start === '' ? png(2 * MEGABYTE) : Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(2 * MEGABYTE)]),
    );
    await app.until('a part to be stored', async () => (await app.count('upload_chunks')) > 0);
    await breakOff(request);
    await nothingIsLeft();
    expect(await app.count('uploads')).toBe(0);
  });

  it('costs the same memory however large it is (rule 31)', async () => {
    const small = await mostMemoryOf(5 * MEGABYTE);
    const large = await mostMemoryOf(LARGE);
    expect(large / small).toBeLessThanOrEqual(1.5);
    await nothingIsLeft();
  });

  /** Largest memory use of this process while so many bytes are uploaded, including the sender's chunk. */
  async function mostMemoryOf(size: number): Promise<number> {
    const before = await app.count('upload_chunks');
    const request = open({ ...AUTHORIZATION, 'content-length': String(size) });
    const answer = answerOf(request);
    request.write(png(PIECE));
    // Collecting garbage blocks the server, too: its time-out for headers must not begin before it has read them.
    await app.until('a part to be stored', async () => (await app.count('upload_chunks')) > before);
    const piece = Buffer.alloc(PIECE, 7);
    let most = 0;
    for (let sent = PIECE; sent < size; sent += PIECE) {
      if (!request.write(piece)) await Promise.race([once(request, 'drain'), answer]);
      if (sent % (size / LOOKS) === 0) most = Math.max(most, usedBytes());
    }
    request.end();
    expect(await answer).toMatchObject({ status: 201 });
    return most;
  }

  it('is refused where its tenant has stored its quota already, and another tenant is not (rule 31)', async () => {
    await nothingIsLeft();
    await app.upload(png());
    await app.database.query(`UPDATE uploads SET size = ${QUOTA - 1_500} WHERE tenant = 'acme'`);
    expect((await app.post(png(1_400), AUTHORIZATION)).status).toBe(201);
    const full = await app.post(png(1_400), AUTHORIZATION);
    expect(full.status).toBe(507);
    expect(await full.json()).toMatchObject({ error: { message: expect.stringContaining('cheio') } });
    expect((await app.post(png(), { authorization: `Bearer ${OTHER_TOKEN}` })).status).toBe(201);
    await nothingIsLeft();
    expect((await app.post(png(1_400), AUTHORIZATION)).status).toBe(201);
  });

  it('is deleted when its time is over, but not while a command holds it (rule 31)', async () => {
    const [held, free] = [await app.upload(png(600_000)), await app.upload(png(600_000))];
    await app.publish('not-known-yet', [held]);
    await app.until('the upload to be held', async () => {
      const { rows } = await app.database.query('SELECT 1 FROM uploads WHERE uses = 1 AND id = $1', [held]);
      return rows.length > 0;
    });
    await expire();
    await app.until('the other to be deleted', async () => (await app.count('uploads')) === 1);
    expect(await app.get(`/uploads/${free}`, AUTHORIZATION)).toMatchObject({ status: 404 });
    await app.publishSku('not-known-yet');
    await app.until('the image to be sent', () => app.platform.requestsOf('not-known-yet', 'POST').length === 1);
    await nothingIsLeft();
  });

  it('is counted for operators', async () => {
    await nothingIsLeft();
    const before = await counted('stored');
    const request = open({ ...AUTHORIZATION, 'content-length': String(5 * MEGABYTE) });
    request.write(png(2 * MEGABYTE));
    await app.until('a part to be stored', async () => (await app.count('upload_chunks')) > 0);
    await breakOff(request);
    await app.upload(png());
    expect(await counted('stored')).toBe(before + 1);
    const uploads = [{ tenant: 'acme', state: 'complete', uploads: 1, bytes: 1_000, held: 0 }];
    expect(await app.get('/api/counts?tenant=acme')).toMatchObject({ body: { uploads } });
    expect(await app.get('/api/counts?tenant=another')).toMatchObject({ body: { uploads: [], skus: 0, orders: 0 } });
  });

  it('is described with all other routes in the OpenAPI document', async () => {
    const document = (await app.get('/api/openapi.json')).body as OpenAPIObject;
    expect(openApiGaps(document)).toEqual([]);
    const lane = { get: { responses: { 200: {}, 400: {}, 404: {} } } };
    expect(document).toMatchObject({
      paths: {
        '/uploads': { post: { responses: { 201: {}, 400: {}, 401: {}, 413: {}, 415: {}, 503: {} } } },
        '/uploads/{id}': { get: { responses: { 200: {}, 401: {}, 404: {} } } },
        '/api/counts': { get: { responses: { 200: {}, 400: {} } } },
        '/api/skus/{externalReference}/images': lane,
        '/api/orders/{number}/invoice': lane,
        '/api/categories/{externalReference}/files': lane,
        '/api/products/{externalReference}/files': lane,
        '/api/files/{entityId}': lane,
        '/api/dead-letters': {},
      },
      components: { securitySchemes: { uploadToken: { scheme: 'bearer' }, operationsToken: { scheme: 'bearer' } } },
    });
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Bytes of buffers in use. Buffers that a garbage collection finds dead are freed in the background, later on a
 * busy machine, and counted until then; a second collection waits for that first.
 */
function usedBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

function formOf(...files: readonly [string, Buffer][]): FormData {
  const form = new FormData();
  form.set('description', 'x');
  for (const [name, content] of files) form.append(name, new Blob([new Uint8Array(content)]), 'x.png');
  return form;
}

/** A form with one file in it, as Latin-1 text. */
function formText(boundary: string): string {
  const head = 'Content-Disposition: form-data; name="file"; filename="1.png"';
  return `--${boundary}\r\n${head}\r\n\r\n${png().toString('latin1')}\r\n--${boundary}--\r\n`;
}
