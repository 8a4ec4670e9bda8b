import { afterAll, describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { invoicePdf, pdf, png, pngOf, RGBA_OF_16_BITS, textChunk } from '../../test/support/contents.ts';
import { type MediaType, mediaTypeOf } from '@gondola/shared/files/media-types';
import { faultOf, type Judgement } from '../uploads/content-verdict.ts';
import { ContentDecoder } from './content-decoder.adapter.ts';
import { isOutOfMemory } from './decoder-end.ts';
import { CONTENTS_AT_ONCE, moreBytes } from './decoder-memory.ts';

const SIDE = 2_000;
/** Never what a busy machine takes to decode. */
const CHECK_MS = 200_000;
const MAIN = fileURLToPath(new URL('./decoder.main.ts', import.meta.url));
const NO_WARNINGS = '--disable-warning=ExperimentalWarning';
const LITTLE_BYTES = 50_000_000;
const ZIP = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
const decoder = decoderOf({});

function decoderOf({ checkMs = CHECK_MS, maxPixels = SIDE * SIDE, maxBytes = 50_000_000 }): ContentDecoder {
  return new ContentDecoder({ pictures: { maxPixels, checkMs }, uploads: { maxBytes } });
}

afterAll(() => decoder.onApplicationShutdown());

async function* chunksOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 50_000) yield content.subarray(at, at + 50_000);
}

async function judge(mediaType: MediaType, content: Buffer, by = decoder): Promise<Judgement> {
  return by.judge({ tenant: 'acme', mediaType, size: content.length }, () => chunksOf(content));
}

async function isWhole(mediaType: MediaType, content: Buffer, by = decoder): Promise<boolean> {
  return faultOf(await judge(mediaType, content, by)) === null;
}

/** A picture with noise, so that its first and last bytes are far apart. */
async function picture(format: 'png' | 'jpeg' | 'webp' | 'gif', side = 200): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width: side, height: side, channels: 3, background: 'red', noise } })
    .toFormat(format)
    .toBuffer();
}

/** Answer of a decoder with these arguments to one picture, and its standard error. */
async function answerOf(content: Buffer, args: readonly number[], env = {}): Promise<[answer: string, errors: string]> {
  const { format } = await sharp(content).metadata();
  const mediaType = `image/${format}`;
  const child = spawn(process.execPath, [NO_WARNINGS, MAIN, ...args.map(String)], { env });
  const head = Buffer.alloc(5);
  head.writeUInt8(mediaType.length, 0);
  head.writeUInt32BE(content.length, 1);
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(Buffer.concat([head, Buffer.from(mediaType, 'latin1'), content]));
  return Promise.all([text(child.stdout), text(child.stderr)]);
}

const BOTH = [
  ['image/png', png()],
  ['application/pdf', invoicePdf()],
] as const;
const MAIL = Buffer.from('Content-Type: application/pdf\r\n\r\n');
const FORMATS = [['png'], ['jpeg'], ['webp'], ['gif']] as const;
const PHONE = pngOf(12_000, 9_000, deflateSync(Buffer.alloc(10)));
const BOMB = pngOf(60_000, 60_000, deflateSync(Buffer.alloc(20_000_000)));

/** A picture whose comment has this text. */
const pngWith = (comment: string): Buffer => {
  const whole = png();
  return Buffer.concat([whole.subarray(0, 8 + 25), textChunk(comment), whole.subarray(8 + 25)]);
};

/** Sends a signal to each process of a decoder as soon as it is there; the ids of those that got it. */
function signalAll(of: ContentDecoder, name: NodeJS.Signals): { readonly sent: ReadonlySet<number>; stop(): void } {
  const sent = new Set<number>();
  const sending = setInterval(() => {
    for (const pid of of.processes.filter((each) => !sent.has(each))) {
      sent.add(pid);
      process.kill(pid, name);
    }
  }, 1);
  return { sent, stop: () => clearInterval(sending) };
}

const signal = (name: NodeJS.Signals) => decoder.processes.forEach((pid) => process.kill(pid, name));

describe('a content that is decoded', () => {
  it.each(FORMATS)('is whole: %s (rule 32)', async (format) => {
    const content = await picture(format);
    expect(await isWhole(`image/${format}`, content)).toBe(true);
  });

  it.each(FORMATS)('is not whole where it was cut off: %s (rule 32)', async (format) => {
    const content = await picture(format);
    const cutOff = { kind: 'cut-off' };
    expect(await judge(`image/${format}`, content.subarray(0, content.length / 2))).toEqual(cutOff);
    expect(await judge(`image/${format}`, content.subarray(0, content.length - 2))).toEqual(cutOff);
    expect(await isWhole(`image/${format}`, content.subarray(0, 40))).toBe(false);
  });

  it.each<[string, () => Buffer | Promise<Buffer>, object]>([
    ['its pixels and no end', () => png().subarray(0, 500), { kind: 'cut-off' }],
    [
      'more pixels than there can be',
      () => pngOf(4_000_000_000, 4_000_000_000, deflateSync(Buffer.alloc(10))),
      { kind: 'damaged' },
    ],
    [
      'random bytes behind a signature',
      () => Buffer.concat([png().subarray(0, 8), Buffer.alloc(5_000, 7), png().subarray(-12)]),
      { kind: 'damaged' },
    ],
    ['a picture of another format', async () => Buffer.concat([await picture('jpeg'), png()]), { kind: 'damaged' }],
    ['an archive at its end', () => Buffer.concat([png(), ZIP]), { kind: 'mixed', also: 'archive' }],
    ['a PDF within its first bytes', () => pngWith('%PDF-1.7'), { kind: 'mixed', also: 'pdf' }],
    [
      'a page with a script at its end',
      () => Buffer.concat([png(), Buffer.from('<script>alert(1)</script>')]),
      { kind: 'mixed', also: 'page' },
    ],
    [
      'a program at its end',
      () => Buffer.concat([png(), Buffer.from('<?php phpinfo(); ?>')]),
      { kind: 'mixed', also: 'program' },
    ],
    [
      'a drawing that draws others',
      () =>
        Buffer.concat([
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
          png().subarray(-12),
        ]),
      { kind: 'damaged' },
    ],
  ])('is no picture with %s, and the cause is told (rule 32)', async (_what, content, expected) => {
    expect(await judge('image/png', await content())).toEqual(expected);
  });

  it.each<[string, () => Buffer | Promise<Buffer>, object]>([
    [
      'more pixels than the limit',
      () => picture('png', SIDE + 1),
      { kind: 'pixels', width: SIDE + 1, height: SIDE + 1, limit: SIDE * SIDE },
    ],
    ['a bomb that unpacks to gigabytes', () => BOMB, { kind: 'pixels', width: 60_000, height: 60_000 }],
    ['the size of a phone with 108 megapixels', () => PHONE, { kind: 'pixels', width: 12_000, height: 9_000 }],
  ])('is told by its header with %s (rule 32)', async (_what, content, expected) => {
    expect(await judge('image/png', await content())).toMatchObject(expected);
  });

  it('is told by its header, and not decoded, if that would take more memory than there is (rule 32)', async () => {
    const many = decoderOf({ maxPixels: 100_000_000 });
    const content = pngOf(10_000, 10_000, Buffer.from('no rows at all'), RGBA_OF_16_BITS);
    const expected = { kind: 'bytes', width: 10_000, height: 10_000, bytes: 872_000_000, limit: 500_000_000 };
    expect(await judge('image/png', content, many)).toEqual(expected);
    many.onApplicationShutdown();
  });

  it('is judged without a temporary folder, however large it is (rule 32)', async () => {
    const raw = sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: 'red' } });
    const content = await raw.png({ compressionLevel: 1 }).toBuffer();
    expect(await answerOf(content, [64_000_000, 300_000_000], { TMPDIR: '/proc' })).toEqual(['"whole"\n', '']);
  });

  it.each<[string, (picture: Sharp) => Sharp]>([
    ['an interlaced PNG', (each) => each.png({ progressive: true })],
    ['a progressive JPEG', (each) => each.jpeg({ progressive: true, chromaSubsampling: '4:4:4' })],
    ['a WebP', (each) => each.webp({ effort: 0 })],
    ['a GIF', (each) => each.gif({ effort: 1 })],
  ])('ends its process without an answer if that has no memory for it: %s (rule 32)', async (_what, encoded) => {
    const raw = sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: 'red' } });
    const content = await encoded(raw).toBuffer();
    const [answer, errors] = await answerOf(content, [25_000_000, LITTLE_BYTES]);
    expect(answer).toBe('');
    expect(isOutOfMemory(errors)).toBe(true);
  });

  it.each<[string, (picture: Sharp) => Sharp]>([
    ['that reports it', (each) => each.jpeg({ progressive: true, chromaSubsampling: '4:4:4' })],
    ['that aborts', (each) => each.gif({ effort: 1 })],
  ])('is told if it takes two processes to their limit of memory, by a decoder %s (rule 32)', async (_how, encoded) => {
    // No content is so small that it leaves this little.
    const maxBytes = LITTLE_BYTES - moreBytes('picture', 0);
    const poor = decoderOf({ maxPixels: 25_000_000, maxBytes });
    const raw = sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: 'red' } });
    const content = await encoded(raw).toBuffer();
    expect(await judge(mediaTypeOf(content)!, content, poor)).toEqual({ kind: 'memory', limit: LITTLE_BYTES });
    poor.onApplicationShutdown();
  });

  it.each<[string, Buffer, boolean]>([
    ['that has its end', pdf(), true],
    ['that was cut off', pdf().subarray(0, 500), false],
    ['that is an archive too', Buffer.concat([pdf(), ZIP]), false],
    ['behind a mail, and before 10 kB of zeros', Buffer.concat([MAIL, invoicePdf(), Buffer.alloc(10_000)]), true],
  ])('may be a PDF %s (rule 33)', async (_what, content, expected) => {
    expect(await isWhole('application/pdf', content)).toBe(expected);
  });

  it.each([
    ['whole', invoicePdf()],
    ['encrypted', invoicePdf({ more: '/Encrypt 9 0 R' })],
    ['damaged', invoicePdf({ root: '' })],
    ['surrounded', Buffer.concat([MAIL, invoicePdf()])],
  ] as const)('may be a PDF that is %s (rule 33)', async (verdict, content) => {
    expect(await judge('application/pdf', content)).toBe(verdict);
  });

  it('may be large, and small ones may follow it', async () => {
    const large = invoicePdf({ body: 'x'.repeat(40_000_000) });
    const all = [judge('application/pdf', large), judge('image/png', png()), judge('application/pdf', invoicePdf())];
    expect(await Promise.all(all)).toEqual(['whole', 'whole', 'whole']);
  });

  it('is judged although its process was killed while it was idle (rule 32)', async () => {
    for (const [mediaType, content] of BOTH) {
      expect(await judge(mediaType, content)).toBe('whole');
      signal('SIGKILL');
      expect(await judge(mediaType, content)).toBe('whole');
    }
  });

  it('is judged by the same process although that gets the signals of a stop (rule 32)', async () => {
    for (const [mediaType, content] of BOTH) expect(await judge(mediaType, content)).toBe('whole');
    const { processes } = decoder;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) signal(name);
    for (const [mediaType, content] of BOTH) expect(await judge(mediaType, content)).toBe('whole');
    expect([processes.length, decoder.processes]).toEqual([2, processes]);
  });

  it('is judged by processes that end with their input', async () => {
    const child = spawn(process.execPath, [MAIN, '1000', '100000000'], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['had it', 1_000],
    ['was still getting it', 1_000_000],
  ])('is judged by another process if its own %s and was killed (rule 33)', async (_when, bytes) => {
    const content = invoicePdf({ body: 'x'.repeat(bytes) });
    expect(await judge('application/pdf', content)).toBe('whole');
    signal('SIGSTOP');
    const judged = judge('application/pdf', content);
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    signal('SIGKILL');
    expect(await judged).toBe('whole');
  });

  it('takes no place while it is read, however slowly it comes (guarantee 5)', async () => {
    const content = png();
    const [reads, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = decoder.judge({ tenant: 'slow', mediaType: 'image/png', size: content.length }, async function* () {
      yield content.subarray(0, 100);
      reads.resolve();
      await goesOn.promise;
      yield content.subarray(100);
    });
    await reads.promise;
    for (const [mediaType, other] of BOTH) expect(await judge(mediaType, other)).toBe('whole');
    goesOn.resolve();
    expect(await slow).toBe('whole');
  });

  it('is read only when few others of its kind are in memory, of however many tenants (guarantee 5)', async () => {
    const content = png();
    const goOn = Promise.withResolvers<void>();
    let open = 0;
    const all = ['a', 'b', 'c', 'd'].map(async (tenant) =>
      decoder.judge({ tenant, mediaType: 'image/png', size: content.length }, async function* () {
        open += 1;
        await goOn.promise;
        yield content;
      }),
    );
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    expect(open).toBe(CONTENTS_AT_ONCE);
    goOn.resolve();
    expect(await Promise.all(all)).toEqual(all.map(() => 'whole'));
  });

  it('that is a picture and decoded for long delays no PDF (guarantee 5)', async () => {
    const fresh = decoderOf({});
    expect(await judge('image/png', png(), fresh)).toBe('whole');
    const [ofPictures] = fresh.processes;
    process.kill(ofPictures!, 'SIGSTOP');
    const picture = judge('image/png', png(), fresh);
    expect(await judge('application/pdf', invoicePdf(), fresh)).toBe('whole');
    process.kill(ofPictures!, 'SIGCONT');
    expect(await picture).toBe('whole');
    fresh.onApplicationShutdown();
  });

  it('that is deleted while it is read is not judged', async () => {
    const about = { tenant: 'acme', mediaType: 'image/png', size: 2_000 } as const;
    await expect(decoder.judge(about, () => chunksOf(png().subarray(0, 1_000)))).rejects.toThrow('deleted');
  });

  it('fails, with no verdict, while the app stops, so that it is judged later (rule 33)', async () => {
    const stopping = decoderOf({});
    const content = invoicePdf();
    const judged = stopping.judge(
      { tenant: 'acme', mediaType: 'application/pdf', size: content.length },
      async function* () {
        yield content;
        stopping.onApplicationShutdown();
      },
    );
    await expect(judged).rejects.toThrow('judged later');
  });

  it('is judged by another process if its own does not take it in time (rule 32)', async () => {
    const impatient = decoderOf({ checkMs: 5_000 });
    const content = invoicePdf({ body: 'x'.repeat(1_000_000) });
    expect(await judge('application/pdf', invoicePdf(), impatient)).toBe('whole');
    const [frozen] = impatient.processes;
    process.kill(frozen!, 'SIGSTOP');
    expect(await judge('application/pdf', content, impatient)).toBe('whole');
    expect(impatient.processes).not.toContain(frozen);
    impatient.onApplicationShutdown();
  });

  it('fails, with no verdict and no process left, if no process ever takes it (rule 32)', async () => {
    const impatient = decoderOf({ checkMs: 50 });
    const content = invoicePdf({ body: 'x'.repeat(1_000_000) });
    const freezing = signalAll(impatient, 'SIGSTOP');
    await expect(judge('application/pdf', content, impatient)).rejects.toThrow('judged later');
    freezing.stop();
    expect([freezing.sent.size, impatient.processes]).toEqual([5, []]);
  });

  it.each(['SIGKILL', 'SIGSEGV', 'SIGABRT'] as const)(
    'is never judged by the end of its processes, of which each gets a %s (rule 32)',
    async (name) => {
      const unlucky = decoderOf({});
      const ending = signalAll(unlucky, name);
      for (const [mediaType, content] of BOTH) {
        await expect(judge(mediaType, content, unlucky)).rejects.toThrow(`(${name}); the content is judged later`);
      }
      ending.stop();
      for (const [mediaType, content] of BOTH) expect(await judge(mediaType, content, unlucky)).toBe('whole');
      unlucky.onApplicationShutdown();
    },
  );

  it('is told if decoding takes too long, and the next image is decoded (rule 32)', async () => {
    const hasty = decoderOf({ checkMs: 1 });
    expect(await judge('image/png', png(), hasty)).toEqual({ kind: 'time', limit: 1 });
    hasty.onApplicationShutdown();
    expect(await isWhole('image/png', png())).toBe(true);
  });
});
