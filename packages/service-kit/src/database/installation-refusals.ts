import { SettingError } from '../config/config.ts';
import { serverOf } from './database-refusal.ts';

const LEAST_VERSION = 14;
const NUMBERS_PER_VERSION = 10_000;
const ENCODING = 'UTF8';

/** Version as a number (`server_version_num`) and as text, and the encoding of the database. */
export interface ServerFacts {
  readonly number: number;
  readonly version: string;
  readonly encoding: string;
}

/** A sequence that would draw a value which a row of its table has already. Names are as SQL needs them. */
export interface BehindSequence {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
  /** Highest value of the column, a bigint as text. */
  readonly highest: string;
}

interface TakenIdentity {
  readonly url: string;
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

/** The fault that makes a server unusable, or null. */
export function serverRefusal(url: string, { number, version, encoding }: ServerFacts): SettingError | null {
  const where = serverOf(new URL(url));
  if (number < LEAST_VERSION * NUMBERS_PER_VERSION) {
    return refusal(
      'DATABASE_VERSION',
      `o ${where} é da versão ${version}, e a menor possível é a ${LEAST_VERSION}: atualize-o`,
      `${where} is version ${version}, and the least is ${LEAST_VERSION}: upgrade it`,
    );
  }
  if (encoding !== ENCODING) {
    return refusal(
      'DATABASE_ENCODING',
      `o banco no ${where} tem a codificação ${encoding}, que não guarda todo texto: crie-o com ENCODING '${ENCODING}' TEMPLATE template0`,
      `the database at ${where} has the encoding ${encoding}, which cannot store every text: create it with ENCODING '${ENCODING}' TEMPLATE template0`,
    );
  }
  return null;
}

/** Settings of a session that are not as asked for, by name. */
export function sessionRefusal(url: string, names: readonly string[]): SettingError {
  const where = serverOf(new URL(url));
  const listed = names.join(', ');
  return refusal(
    'DATABASE_SESSION',
    `a sessão no ${where} não ficou como pedida (${listed}): um pooler entre ambos a muda; use pool_mode = session, ou conecte sem ele`,
    `the session at ${where} is not as asked for (${listed}): a pooler in between changes it; set pool_mode = session, or connect without it`,
  );
}

/** A pooler that gives a connection no session of its own. */
export function sharedSessionsRefusal(url: string): SettingError {
  const where = serverOf(new URL(url));
  return refusal(
    'DATABASE_POOLED',
    `o ${where} é um pooler cujas conexões dividem sessões (modo transaction ou statement), e cada uma precisa da sua: use pool_mode = session, ou conecte sem ele`,
    `${where} is a pooler whose connections share sessions (transaction or statement mode), and each needs its own: set pool_mode = session, or connect without it`,
  );
}

/** A schema that is migrated and that the role may not use. */
export function schemaRefusal(url: string, schema: string): SettingError {
  const where = serverOf(new URL(url));
  return refusal(
    'DATABASE_RIGHTS',
    `o usuário não pode usar o schema "${schema}" do ${where}: dê-lhe os direitos de docs/running.md`,
    `the user may not use schema "${schema}" of ${where}: grant the rights that docs/running.md lists`,
  );
}

/** A right that is missing at the start; `denied` is PostgreSQL's message, which names an object and no value. */
export function rightsRefusal(url: string, denied: Error): SettingError {
  const where = serverOf(new URL(url));
  return refusal(
    'DATABASE_RIGHTS',
    `falta um direito ao usuário do ${where} (${denied.message}): dê-lhe os de docs/running.md`,
    `the user of ${where} lacks a right (${denied.message}): grant those that docs/running.md lists`,
    denied,
  );
}

/** Sequences behind their tables' rows, as logical replication leaves them: every insert would take a used id. */
export function sequencesRefusal(url: string, behind: readonly [BehindSequence, ...BehindSequence[]]): SettingError {
  const where = serverOf(new URL(url));
  const [{ table, column, sequence }] = behind;
  const statement = `SELECT setval('${sequence}', (SELECT max(${column}) FROM ${table}))`;
  return refusal(
    'SEQUENCE_BEHIND',
    `${behind.length} sequência(s) do ${where} estão atrás de suas linhas, como depois de uma replicação lógica: pare os apps e ajuste todas, como ${statement} (docs/runbook.md)`,
    `${behind.length} sequence(s) of ${where} stand behind their rows, as after logical replication: stop the apps and set them all, such as ${statement} (docs/runbook.md)`,
  );
}

/** An insert that drew an id which a row has already: the sequence of this table, and maybe others, stands behind. */
export function identityTakenRefusal({ url, schema, table, column }: TakenIdentity, cause: unknown): SettingError {
  const where = serverOf(new URL(url));
  const place = `${schema}.${table}`;
  const statement = `SELECT setval(pg_get_serial_sequence('${place}', '${column}'), (SELECT max(${column}) FROM ${place}))`;
  return refusal(
    'SEQUENCE_BEHIND',
    `a sequência de ${place}.${column} do ${where} está atrás de suas linhas, como depois de uma replicação lógica: pare os apps e ajuste todas, como ${statement} (docs/runbook.md)`,
    `the sequence of ${place}.${column} of ${where} stands behind its rows, as after logical replication: stop the apps and set them all, such as ${statement} (docs/runbook.md)`,
    cause,
  );
}

function refusal(code: string, portuguese: string, english: string, cause?: unknown): SettingError {
  return new SettingError({ variable: 'DATABASE_URL', problem: `${portuguese} / ${english}`, code, cause });
}
