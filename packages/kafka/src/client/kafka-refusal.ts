import { SettingError } from '@gondola/service-kit/config/config';

const MAX_CAUSES = 8;
/** Types of kafkajs' errors when no broker accepts the connection or answers. */
const AWAY = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
]);

/** Waits for `work`; rethrows a failure to reach the Kafka of `brokers` as a sentence that names the variable. */
export async function namingKafka<T>(brokers: readonly string[], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw kafkaRefusal(brokers, error);
  }
}

/**
 * A failure to reach Kafka as a sentence that names the variable, without user or password; any other error stays
 * unchanged.
 */
export function kafkaRefusal(brokers: readonly string[], error: unknown): unknown {
  const chain = chainOf(error);
  const named = (variable: string, problem: string) =>
    new SettingError({ variable, problem, code: codeIn(chain) ?? 'KAFKA_UNUSABLE', cause: error });
  const where = `Kafka (${brokers.join(',')})`;
  if (chain.some(isRefusedLogin)) {
    return named(
      'KAFKA_SASL_*',
      `o ${where} recusa o mecanismo, o usuário ou a senha: corrija-os, ou apague os três se ele não pede nenhum / ` +
        `${where} refuses the mechanism, the user or the password: correct them, or unset all three where it asks for none`,
    );
  }
  if (chain.some((link) => /CERT|ERR_SSL|ERR_TLS|EPROTO/.test(codeOf(link) ?? ''))) {
    return named(
      'KAFKA_SSL',
      `o TLS com o ${where} falha: confira a porta, quem assina o certificado do servidor (KAFKA_SSL_CA) e, se ele pede um do app, KAFKA_SSL_CERT / ` +
        `TLS with ${where} fails: check the port, who signs the server's certificate (KAFKA_SSL_CA) and, where it asks for one of the app, KAFKA_SSL_CERT`,
    );
  }
  if (!chain.some(({ name }) => AWAY.has(name))) return error;
  return named(
    'KAFKA_BROKERS',
    `nenhum ${where} responde: confira endereço e rede, se ele está no ar, e se pede KAFKA_SSL ou KAFKA_SASL_* / ` +
      `no ${where} answers: check the address and the network, whether it runs, and whether it asks for KAFKA_SSL or KAFKA_SASL_*`,
  );
}

function isRefusedLogin(error: Error): boolean {
  return error.name === 'KafkaJSSASLAuthenticationError' || /SASL/.test(typeOf(error) ?? '');
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < MAX_CAUSES; next = next.cause) chain.push(next);
  return chain;
}

function codeIn(chain: readonly Error[]): string | undefined {
  return chain.map((link) => codeOf(link) ?? typeOf(link)).find((code) => code !== undefined);
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** kafkajs' name for a broker's error, such as `ILLEGAL_SASL_STATE`. */
function typeOf(error: Error): string | undefined {
  return 'type' in error && typeof error.type === 'string' ? error.type : undefined;
}
