import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import ssh2 from 'ssh2';
import { newHostKey } from '../src/sftp/host-key.ts';
import { SftpClient } from './support/sftp-client.ts';
import { Shop } from './support/shop.ts';
import { SkuFiles } from './support/sku-files.ts';

const MAX_BYTES = 300_000;
const LOGIN = { username: 'imagens', password: 'a-password' };
const ENV = { SFTP_PORT: '0', SFTP_USERNAME: LOGIN.username, SFTP_PASSWORD: LOGIN.password };
const SKU = '1208-1';

interface Address {
  port: number;
  contractFolder: string;
  hostKey: string;
  hostKeyFingerprint: string;
}

function hostKeyOf(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString('base64')}`;
}

let shop: Shop;
let files: SkuFiles;
let client: SftpClient;
let folder: string;

async function connect(login: Partial<typeof LOGIN> = {}): Promise<SftpClient> {
  const { port } = (await shop.admin('GET', '/sftp')) as Address;
  return SftpClient.connect({ port, ...LOGIN, ...login });
}

/** Sends a form without files, as the linking call does. */
async function link(fields: readonly (readonly [string, string])[], reference = SKU): Promise<string> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const url = `${shop.url}/v1/Storages/image/upload?externalReference=${encodeURIComponent(reference)}`;
  const answer = await fetch(url, { method: 'POST', headers: files.merchant.headers, body: form });
  expect(answer.status).toBe(200);
  await shop.idle();
  return ((await answer.json()) as { operationId: string }).operationId;
}

function named(...names: readonly string[]): (readonly [string, string])[] {
  return names.map((name) => ['fileNames', name]);
}

beforeAll(async () => {
  shop = await Shop.open({ ...ENV, SFTP_MAX_BYTES: String(MAX_BYTES) });
});

afterAll(() => shop.close());

beforeEach(async () => {
  files = await SkuFiles.open(shop);
  folder = `/loja/${files.merchant.contractAccountId}/SKUs/Integracao`;
  client = await connect();
});

afterEach(() => client.end());

describe('the SFTP drop', () => {
  it('has the documented folders', async () => {
    const { contractAccountId } = files.merchant;
    expect(await client.names('/')).toEqual(['loja']);
    expect(await client.names('/loja')).toContain(contractAccountId);
    expect(await client.names(`/loja/${contractAccountId}`)).toEqual(['SKUs']);
    expect(await client.names(`/loja/${contractAccountId}/SKUs`)).toEqual(['Integracao']);
    expect(await client.names(folder)).toEqual([]);
  });

  it('accepts files, which appear in the shop only after a call links them (rule 34)', async () => {
    const content = randomBytes(200_000);
    await client.put(`${folder}/frente.png`, content);
    await client.put(`${folder}/verso.png`, 'verso');
    expect(await client.names(folder)).toEqual(['frente.png', 'verso.png']);
    expect(await client.size(`${folder}/frente.png`)).toBe(content.length);
    expect(await files.urls(SKU)).toEqual([]);

    await link([...named('verso.png', 'frente.png'), ['orders', '2'], ['orders', '1']]);
    const [front = '', back = ''] = await files.urls(SKU);
    expect(Buffer.from(await (await fetch(front)).arrayBuffer()).equals(content)).toBe(true);
    expect(await (await fetch(back)).text()).toBe('verso');
    expect(await client.names(folder)).toEqual([]);
    expect(files.failures()).toEqual([]);
  });

  it('links files that a call does not name by their standardized names, and no other SKU’s', async () => {
    await client.put(`${folder}/${SKU}_2.png`, 'two');
    await client.put(`${folder}/${SKU}_1.png`, 'one');
    await client.put(`${folder}/${SKU}0_1.png`, 'other');
    await link([['orders', '9']]);
    expect(await files.contents(SKU)).toEqual(['one', 'two']);
    expect(await client.names(folder)).toEqual([`${SKU}0_1.png`]);
  });

  it('notifies Operation_Failed for a missing file, and links none of the call', async () => {
    await client.put(`${folder}/a.png`, 'a');
    const operationId = await link(named('a.png', 'b.png'));
    expect(files.failures()).toMatchObject([
      {
        operationId,
        data: { externalReference: SKU },
        error: { statusCode: 404, detail: 'No file b.png was placed.' },
      },
    ]);
    expect(await files.urls(SKU)).toEqual([]);
    expect(await client.names(folder)).toEqual(['a.png']);
  });

  it('refuses to link a file whose name is not an image’s', async () => {
    await client.put(`${folder}/nota.pdf`, '%PDF');
    await link(named('nota.pdf'));
    expect(files.failures()).toMatchObject([{ error: { statusCode: 400, validationErrors: [{ key: 'Files[0]' }] } }]);
  });

  it('takes the type of a file from its latest name', async () => {
    await client.put(`${folder}/a.png.part`, 'whole');
    await client.rename(`${folder}/a.png.part`, `${folder}/a.png`);
    await link(named('a.png'));
    expect(await files.contents(SKU)).toEqual(['whole']);
  });

  it('replaces a file of the same name, renames and removes', async () => {
    await client.put(`${folder}/a.part`, 'first');
    await client.put(`${folder}/a.part`, 'second!');
    expect(await client.size(`${folder}/a.part`)).toBe(7);
    await client.rename(`${folder}/a.part`, `${folder}/a.png`);
    await client.put(`${folder}/b.png`, 'b');
    await expect(client.rename(`${folder}/b.png`, `${folder}/a.png`)).rejects.toThrow('There is a file of this name');
    await client.remove(`${folder}/b.png`);
    expect(await client.names(folder)).toEqual(['a.png']);
  });

  it('accepts chunks out of order', async () => {
    const handle = await client.ask<Buffer>((done) => client.sftp.open(`${folder}/a.png`, 'w', done));
    const write = (text: string, at: number): Promise<unknown> =>
      client.ask((done) =>
        client.sftp.write(handle, Buffer.from(text), 0, text.length, at, (err) => done(err ?? undefined, undefined)),
      );
    await Promise.all([write('third', 11), write('first ', 0), write('2nd, ', 6)]);
    await client.ask((done) => client.sftp.close(handle, (err) => done(err ?? undefined, undefined)));
    await link(named('a.png'));
    expect(await files.contents(SKU)).toEqual(['first 2nd, third']);
  });

  it('stores no file that is too large or incomplete', async () => {
    const tooLarge = client.put(`${folder}/a.png`, Buffer.alloc(MAX_BYTES + 1));
    await expect(tooLarge).rejects.toThrow(`A file has at most ${MAX_BYTES} bytes`);
    const other = await connect();
    const handle = await other.ask<Buffer>((done) => other.sftp.open(`${folder}/b.png`, 'w', done));
    await other.ask((done) =>
      other.sftp.write(handle, Buffer.from('half'), 0, 4, 0, (err) => done(err ?? undefined, undefined)),
    );
    other.breakOff();
    await client.put(`${folder}/c.png`, 'c');
    expect(await client.names(folder)).toEqual(['c.png']);
  });

  it('allows neither reading of files nor other writes', async () => {
    await client.put(`${folder}/a.png`, 'a');
    const { contractAccountId } = files.merchant;
    await expect(client.ask((done) => client.sftp.readFile(`${folder}/a.png`, done))).rejects.toThrow(
      'Files are placed',
    );
    await expect(client.put(`/loja/${contractAccountId}/a.png`, 'a')).rejects.toThrow('no such file');
    await expect(client.put('/loja', 'a')).rejects.toThrow('Only files are written');
    await expect(client.names('/loja/22222222-2222-4222-8222-222222222222')).rejects.toThrow('no such file');
  });

  it('accepts one user only', async () => {
    await expect(connect({ password: 'another' })).rejects.toThrow('All configured authentication methods failed');
    await expect(connect({ username: 'another' })).rejects.toThrow('All configured authentication methods failed');
  });
});

describe('the switches of the linking call', () => {
  afterEach(() => shop.admin('POST', '/switches', { linkingKey: 'fileNames', placedNames: '{sku}_{order}' }));

  it('linkingKey moves the names to another field', async () => {
    await shop.admin('POST', '/switches', { linkingKey: 'ftpFiles' });
    await client.put(`${folder}/a.png`, 'a');
    await link([['ftpFiles', 'a.png']]);
    expect(await files.contents(SKU)).toEqual(['a']);
  });

  it('linkingKey null finds files only by their names, in the form of placedNames', async () => {
    await shop.admin('POST', '/switches', { linkingKey: null, placedNames: '{order}-{sku}' });
    await client.put(`${folder}/1-${SKU}.png`, 'one');
    await client.put(`${folder}/a.png`, 'a');
    await link(named('a.png'));
    expect(await files.contents(SKU)).toEqual(['one']);
  });
});

describe('the SFTP server', () => {
  it('has the host key of its configuration, and keeps files over a restart', async () => {
    const privateKey = newHostKey();
    const publicKey = hostKeyOf(privateKey);
    const own = await Shop.open({ ...ENV, SFTP_HOST_KEY: privateKey, SFTP_CONTRACT_FOLDER: 'contrato-01' });
    try {
      const { contractAccountId } = await own.merchant();
      const path = `/contrato-01/${contractAccountId}/SKUs/Integracao`;
      for (const content of ['a', undefined]) {
        const { port, hostKey, contractFolder } = (await own.admin('GET', '/sftp')) as Address;
        expect({ hostKey, contractFolder }).toEqual({ hostKey: publicKey, contractFolder: 'contrato-01' });
        let pinned = '';
        const hostVerifier = (key: Buffer): boolean => (pinned = key.toString('base64')) !== '';
        const there = await SftpClient.connect({ port, ...LOGIN, hostVerifier });
        expect(`ecdsa-sha2-nistp256 ${pinned}`).toBe(hostKey);
        if (content !== undefined) await there.put(`${path}/a.png`, content);
        expect(await there.names(path)).toEqual(['a.png']);
        await there.end();
        await own.stop();
        await own.start();
      }
    } finally {
      await own.close();
    }
  });

  it('is off unless it is configured: a form without files is then a 400', async () => {
    const own = await Shop.open();
    try {
      const there = await SkuFiles.open(own);
      expect((await own.call('GET', '/admin/sftp')).status).toBe(404);
      expect((await there.send(SKU, [], [1])).status).toBe(400);
    } finally {
      await own.close();
    }
  });
});
