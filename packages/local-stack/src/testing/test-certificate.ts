import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findJava } from '../java.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const PASSPHRASE = 'only-for-tests';

/** A self-signed certificate of 127.0.0.1, for a TLS server. */
export interface TestCertificate {
  /** Options of `node:tls` and `node:https`: certificate and key. */
  readonly server: { readonly pfx: Buffer; readonly passphrase: string };
  /** The certificate alone, which a client has to trust. */
  readonly pem: string;
}

/** Makes a certificate that is valid for so many days from now, by Java's `keytool`. */
export async function makeTestCertificate(days: number): Promise<TestCertificate> {
  await using folder = await temporaryFolder();
  const keytool = join(dirname(await findJava(process.env as Record<string, string>)), 'keytool');
  const store = join(folder.path, 'test.p12');
  const own = ['-alias', 'test', '-keystore', store, '-storetype', 'PKCS12', '-storepass', PASSPHRASE];
  // A client that trusts two certificates looks for them by their names.
  const key = ['-keyalg', 'EC', '-dname', `CN=${randomUUID()}`, '-ext', 'san=ip:127.0.0.1', '-validity', String(days)];
  await run(keytool, ['-genkeypair', ...own, ...key]);
  const { stdout: pem } = await run(keytool, ['-exportcert', '-rfc', ...own]);
  return { server: { pfx: await readFile(store), passphrase: PASSPHRASE }, pem };
}
