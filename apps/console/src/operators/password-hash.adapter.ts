import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';

/** Work factors: 64 MiB and some tenths of a second for each attempt. */
const COST = 16;
const BLOCK_SIZE = 8;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MAX_MEMORY = 256 * 1_048_576;
const FORM = /^scrypt:(1[4-8]):(\d{1,2}):([1-4]):([\w-]{22,}):([\w-]{43})$/;

/** `scrypt:<log2 of N>:<r>:<p>:<salt>:<key>`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, { cost: COST, blockSize: BLOCK_SIZE, parallelism: PARALLELISM });
  const numbers = [COST, BLOCK_SIZE, PARALLELISM].join(':');
  return `scrypt:${numbers}:${salt.toString('base64url')}:${key.toString('base64url')}`;
}

export function isPasswordHash(text: string): boolean {
  return FORM.test(text);
}

/** Always does the whole work, so that the time tells nothing. Throws for a text that is no hash. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, cost, blockSize, parallelism, salt = '', key = ''] = FORM.exec(hash) ?? [];
  if (cost === undefined) throw new Error('The stored password is no hash of this form');
  const found = await derive(password, Buffer.from(salt, 'base64url'), {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(found, Buffer.from(key, 'base64url'));
}

interface Factors {
  /** log2 of N. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

/** The same text in another Unicode form is the same password. */
function derive(password: string, salt: Buffer, { cost, blockSize, parallelism }: Factors): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** cost, r: blockSize, p: parallelism, maxmem: MAX_MEMORY };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
