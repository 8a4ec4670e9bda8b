import { classifyDatabaseError } from './database-errors.ts';
import { codeOf } from '../logging/safe-error.ts';
import { SettingError } from '../config/config.ts';

const VARIABLE = 'DATABASE_URL';
const DEFAULT_PORT = '5432';
/** Any other text may be part of a password with an unescaped character. */
const HARMLESS_NAME = /^[\w-]{1,63}$/;

/**
 * A failure to connect to the PostgreSQL of `url`, as a sentence that names `DATABASE_URL`; a failure that no
 * setting causes stays unchanged. Shows host, port and database name, never user or password.
 */
export function databaseRefusal(url: string, error: unknown): unknown {
  const fault = faultOf(new URL(url), error);
  if (fault === null) return error;
  return new SettingError({
    variable: VARIABLE,
    problem: fault,
    code: codeOf(error) ?? 'DATABASE_UNUSABLE',
    cause: error,
  });
}

function faultOf(url: URL, error: unknown): string | null {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  const where = `PostgreSQL${url.hostname === '' ? '' : ` (${url.hostname}:${url.port || DEFAULT_PORT})`}`;
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
  if (code !== null && /CERT|ERR_TLS/.test(code)) {
    return `o certificado do ${where} não vale aqui: confira sslmode e sslrootcert / the certificate of ${where} is not valid here: check sslmode and sslrootcert`;
  }
  if (classifyDatabaseError(error) !== 'transient') return null;
  return (
    `o ${where} não aceita conexões: confira endereço e rede, e se ele está no ar / ` +
    `${where} takes no connections: check the address and the network, and whether it runs`
  );
}

function databaseNameOf(url: URL): string {
  const name = url.pathname.slice(1);
  return HARMLESS_NAME.test(name) ? ` "${name}"` : '';
}
