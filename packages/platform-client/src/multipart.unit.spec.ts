import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type FileContent, type FormPart, multipartBody } from './multipart.ts';

async function textOf(parts: readonly FormPart[]): Promise<Buffer> {
  return buffer(multipartBody(parts, 'edge').chunks());
}

const file = (content: FileContent, fileName = 'a.png'): FormPart => ({
  name: 'files',
  fileName,
  mediaType: 'image/png',
  content,
});

describe('a multipart body', () => {
  it('has its parts in their order, each with its head', async () => {
    const parts = [{ name: 'orders', text: '1' }, file(new Blob(['ç']))];
    expect((await textOf(parts)).toString()).toBe(
      '--edge\r\nContent-Disposition: form-data; name="orders"\r\n\r\n1\r\n' +
        '--edge\r\nContent-Disposition: form-data; name="files"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nç\r\n' +
        '--edge--\r\n',
    );
    expect(multipartBody(parts, 'edge').contentType).toBe('multipart/form-data; boundary=edge');
  });

  it('has a known length and can be parsed, for any names and contents (rule 32)', async () => {
    const someFile = fc.record({ name: fc.string({ unit: 'grapheme', minLength: 1 }), bytes: fc.uint8Array() });
    await fc.assert(
      fc.asyncProperty(fc.array(someFile, { maxLength: 4 }), async (files) => {
        const parts = files.map(({ name, bytes }) => file(new Blob([bytes.slice()]), name));
        const body = multipartBody([...parts, { name: 'orders', text: '1' }], 'edge-5f0a');
        const bytes = await buffer(body.chunks());
        expect(bytes).toHaveLength(body.size);

        const form = await new Response(bytes, { headers: { 'content-type': body.contentType } }).formData();
        const read = (form.getAll('files') as File[]).map(async (each) => Buffer.from(await each.arrayBuffer()));
        expect(await Promise.all(read)).toEqual(files.map((each) => Buffer.from(each.bytes)));
        expect(form.get('orders')).toBe('1');
      }),
      { numRuns: 50 },
    );
  });

  it.each(['"; name="orders', 'a\r\nX-Injected: 1', '\n\n', 'é"ç'])(
    'has no header that its file name ends: %j',
    async (name) => {
      const head = (await textOf([file(new Blob(['x']), name)])).toString().split('\r\n\r\n')[0] ?? '';
      expect(head.split('\r\n')).toHaveLength(3);
      expect(head.match(/"/g)).toHaveLength(4);
    },
  );

  it.each([
    ['shorter', 5],
    ['longer', 2],
  ])('fails if a file is %s than announced, without a surplus byte', async (_, size) => {
    const content: FileContent = { size, stream: () => new Blob(['xyz']).stream() };
    const chunks: Uint8Array[] = [];
    const read = async () => {
      for await (const chunk of multipartBody([file(content)], 'edge').chunks()) chunks.push(chunk);
    };
    await expect(read()).rejects.toMatchObject({ code: 'CONTENT_NOT_READABLE' });
    expect(Buffer.concat(chunks).toString().endsWith('--edge--\r\n')).toBe(false);
  });

  it('fails with the cause if a file cannot be read', async () => {
    const cause = new Error('gone');
    const content: FileContent = {
      size: 3,
      async *stream() {
        yield Buffer.from('x');
        throw cause;
      },
    };
    await expect(textOf([file(content)])).rejects.toMatchObject({ code: 'CONTENT_NOT_READABLE', cause });
  });
});
