import { classifyDatabaseError } from './database-errors.ts';
import { codeOf } from '../logging/safe-error.ts';
import { SettingError } from '../config/config.ts';

const VARIABLE = 'DATABASE_URL';
const DEFAULT_PORT = '5432';
/** Any other text may be part of a password with an unescaped character. */
const HARMLESS_NAME = /^[\w-]{1,63}$/;
/** Codes of Node.js for a certificate that it does not accept; OpenSSL's have no common prefix. */
const CERTIFICATE_CODES = /CERT|ERR_TLS|UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE/;

/**
 * A failure to connect to the PostgreSQL of `url`, as a sentence that names `DATABASE_URL`; a failure that no
 * setting causes stays unchanged. Shows host, port and database name, never user or password.
 */
export function databaseRefusal(url: string, error: unknown): unknown {
  if (error instanceof Error && error.message.startsWith('unsupported startup parameter'))
    return parametersRefusal(new URL(url));
  const fault = faultOf(new URL(url), error);
  if (fault === null) return error;
  return new SettingError({
    variable: VARIABLE,
    problem: fault,
    code: codeOf(error) ?? 'DATABASE_UNUSABLE',
    cause: error,
  });
}

/** PgBouncer gives all its refusals one code, that of a broken connection; waiting does not help with this one. */
function parametersRefusal(url: URL): SettingError {
  const where = serverOf(url);
  const problem =
    `o ${where} é um pooler que recusa parâmetros: tire "options" e outros do endereço / ` +
    `${where} is a pooler that refuses parameters: take "options" and others out of the address`;
  return new SettingError({ variable: VARIABLE, problem, code: 'DATABASE_PARAMETERS', cause: undefined });
}

function faultOf(url: URL, error: unknown): string | null {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  const where = serverOf(url);
  if (url.password === '' && /password/i.test(message)) {
    return (
      `falta a senha, que o ${where} pede: escreva-a como em postgres://usuario:senha@host / ` +
      `the password is missing, which ${where} asks for: write it as in postgres://user:password@host`
    );
  }
  if (code === '28P01' || code === '28000') {
    return `o ${where} recusa o usuário ou a senha: corrija-os / ${where} refuses the user or the password: correct them`;
  }
  if (code === '3D000') {
    const name = databaseNameOf(url);
    return `o ${where} não tem o banco${name}: crie-o ou corrija o nome / ${where} has no such database${name}: create it, or correct the name`;
  }
  if (message.startsWith('The server does not support SSL')) {
    return `o ${where} não oferece TLS, que sslmode pede / ${where} does not offer TLS, which sslmode asks for`;
  }
  if (code !== null && CERTIFICATE_CODES.test(code)) {
    return (
      `o certificado do ${where} não vale aqui: indique a autoridade que o emitiu (sslmode=verify-full&sslrootcert=ARQUIVO) e o host que ele nomeia / ` +
      `the certificate of ${where} is not valid here: name the authority that issued it (sslmode=verify-full&sslrootcert=FILE), and the host that it names`
    );
  }
  if (isOfFile(error)) {
    return 'não é possível ler sslrootcert, sslcert ou sslkey: confira os arquivos / sslrootcert, sslcert or sslkey cannot be read: check the files';
  }
  if (classifyDatabaseError(error) !== 'transient') return null;
  return (
    `o ${where} não aceita conexões: confira endereço e rede, e se ele está no ar / ` +
    `${where} takes no connections: check the address and the network, and whether it runs`
  );
}

/** True if a file of the address's certificates cannot be read, or holds no certificate. */
function isOfFile(error: unknown): boolean {
  const { syscall } = error as { syscall?: unknown };
  return syscall === 'open' || syscall === 'read' || codeOf(error)?.startsWith('ERR_OSSL_') === true;
}

function databaseNameOf(url: URL): string {
  const name = url.pathname.slice(1);
  return HARMLESS_NAME.test(name) ? ` "${name}"` : '';
}

/** PostgreSQL with host and port, as sentences name it. */
export function serverOf(url: URL): string {
  return `PostgreSQL${url.hostname === '' ? '' : ` (${url.hostname}:${url.port || DEFAULT_PORT})`}`;
}
