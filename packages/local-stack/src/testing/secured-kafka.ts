import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import kafkajs, { type Admin } from 'kafkajs';
import { freePort } from '../free-port.ts';
import { hostEnvironment } from '../host-environment.ts';
import { findJava } from '../java.ts';
import { startKafka } from '../kafka.ts';
import { KAFKA_JARS_FOLDER } from '../kafka-jars.ts';
import { HAS_IPV6, HAS_OPENSSL } from './machine.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { waitFor } from '../wait-for.ts';
import { makeTestCertificate } from './test-certificate.ts';

const run = promisify(execFile);
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, logLevel, ResourcePatternTypes } = kafkajs;

/** One right of an account: the names are Kafka's own, such as `Topic`, `Read`. */
export interface KafkaRight {
  readonly resource: 'Topic' | 'Group' | 'Cluster';
  /** Name of the topic or group; of the cluster always `kafka-cluster`. */
  readonly name: string;
  readonly operation: 'Read' | 'Write' | 'Create' | 'Describe' | 'DescribeConfigs';
}

/** A real broker that asks who calls and lets everybody do only what he was given. */
export interface SecuredKafka {
  /** Without a login, and with all rights: for the test itself. */
  readonly brokers: string;
  /** Asks for a login. */
  readonly login: string;
  /** Asks for a login, behind TLS with a certificate that only `authority` vouches for. */
  readonly tlsLogin: string;
  /** Behind that TLS, and asks for a certificate of a client. */
  readonly mutualTls: string;
  /** Without a login, on the loopback address of IPv6; null on a machine without one. */
  readonly ipv6: string | null;
  /** The certificate to trust, PEM. */
  readonly authority: string;
  /** The only certificate of a client that it accepts; null where the machine has no `openssl`. */
  readonly client: { readonly account: string; readonly certificate: string; readonly key: string } | null;
  /** Password of each of the accounts. */
  readonly passwords: Readonly<Record<string, string>>;
  grant(account: string, rights: readonly KafkaRight[]): Promise<void>;
  revoke(account: string, rights: readonly KafkaRight[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a broker of its own with a login (PLAIN for all accounts, for those in `scram` also SCRAM with that hash), TLS
 * and an authorizer that denies what is not allowed.
 */
export async function startSecuredKafka(
  accounts: readonly string[],
  scram: Readonly<Record<string, 256 | 512>> = {},
): Promise<SecuredKafka> {
  const folder = await temporaryFolder();
  const [login, tlsLogin, mutualTls, ipv6] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const passwords = Object.fromEntries(accounts.map((account) => [account, randomBytes(18).toString('base64url')]));
  const certificate = await makeTestCertificate(1);
  const keys = join(folder.path, 'server.p12');
  await writeFile(keys, certificate.server.pfx);
  const client = await clientCertificate(folder.path);
  const trusted = join(folder.path, 'trusted.pem');
  await writeFile(trusted, client?.certificate ?? certificate.pem);
  const users = accounts.map((account) => `user_${account}="${passwords[account]}"`).join(' ');
  const plain = `org.apache.kafka.common.security.plain.PlainLoginModule required ${users};`;
  const scramLogin = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  const loginAt = (listener: string) => ({
    [`listener.name.${listener}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    [`listener.name.${listener}.plain.sasl.jaas.config`]: plain,
    [`listener.name.${listener}.scram-sha-256.sasl.jaas.config`]: scramLogin,
    [`listener.name.${listener}.scram-sha-512.sasl.jaas.config`]: scramLogin,
  });
  const kafka = await startKafka({
    extras: {
      listeners: [
        { name: 'LOGIN', protocol: 'SASL_PLAINTEXT', address: `127.0.0.1:${login}` },
        { name: 'TLSLOGIN', protocol: 'SASL_SSL', address: `127.0.0.1:${tlsLogin}` },
        { name: 'MUTUAL', protocol: 'SSL', address: `127.0.0.1:${mutualTls}` },
        ...(HAS_IPV6 ? [{ name: 'SIX', protocol: 'PLAINTEXT', address: `[::1]:${ipv6}` } as const] : []),
      ],
      properties: {
        'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
        'super.users': 'User:ANONYMOUS',
        ...loginAt('login'),
        ...loginAt('tlslogin'),
        'ssl.keystore.type': 'PKCS12',
        'ssl.keystore.location': keys,
        'ssl.keystore.password': certificate.server.passphrase,
        'ssl.truststore.type': 'PEM',
        'ssl.truststore.location': trusted,
        'listener.name.mutual.ssl.client.auth': 'required',
        'ssl.principal.mapping.rules': 'RULE:^CN=([^,]+).*$/$1/',
      },
    },
  });
  const admin = new Kafka({ brokers: [kafka.brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await Promise.all(
    Object.entries(scram).map(([account, bits]) => addScram(kafka.brokers, account, bits, passwords[account]!)),
  );
  return {
    brokers: kafka.brokers,
    login: `127.0.0.1:${login}`,
    tlsLogin: `127.0.0.1:${tlsLogin}`,
    mutualTls: `127.0.0.1:${mutualTls}`,
    ipv6: HAS_IPV6 ? `[::1]:${ipv6}` : null,
    authority: certificate.pem,
    client,
    passwords,
    grant: async (account, rights) => {
      await admin.createAcls({ acl: rights.map((right) => entryOf(account, right)) });
      await untilInForce(admin, account, rights, true);
    },
    revoke: async (account, rights) => {
      await admin.deleteAcls({ filters: rights.map((right) => entryOf(account, right)) });
      await untilInForce(admin, account, rights, false);
    },
    stop: async () => {
      await admin.disconnect();
      await kafka.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The controller answers before the broker has heard of the change. */
async function untilInForce(
  admin: Admin,
  account: string,
  rights: readonly KafkaRight[],
  isGranted: boolean,
): Promise<void> {
  for (const right of rights) {
    await waitFor(async () => (await admin.describeAcls(entryOf(account, right))).resources.length > 0 === isGranted, {
      describe: `the ${right.operation} of ${account} on ${right.name}`,
    });
  }
}

function entryOf(account: string, { resource, name, operation }: KafkaRight) {
  return {
    principal: `User:${account}`,
    host: '*',
    resourceType: AclResourceTypes[resource.toUpperCase() as 'TOPIC' | 'GROUP' | 'CLUSTER'],
    resourceName: name,
    resourcePatternType: ResourcePatternTypes.LITERAL,
    operation: AclOperationTypes[ACL_NAMES[operation]],
    permissionType: AclPermissionTypes.ALLOW,
  };
}

const ACL_NAMES = {
  Read: 'READ',
  Write: 'WRITE',
  Create: 'CREATE',
  Describe: 'DESCRIBE',
  DescribeConfigs: 'DESCRIBE_CONFIGS',
} as const;

/** kafkajs has no call for it, Kafka's own tool has. */
async function addScram(brokers: string, account: string, bits: number, password: string): Promise<void> {
  const java = await findJava(hostEnvironment());
  const secret = `SCRAM-SHA-${bits}=[password=${password}]`;
  const change = ['--alter', '--add-config', secret, '--entity-type', 'users', '--entity-name', account];
  const classes = ['-XX:TieredStopAtLevel=1', '-cp', join(KAFKA_JARS_FOLDER, '*'), 'kafka.admin.ConfigCommand'];
  await run(java, [...classes, '--bootstrap-server', brokers, ...change]);
}

const CLIENT = 'certified';

async function clientCertificate(folder: string): Promise<SecuredKafka['client']> {
  if (!HAS_OPENSSL) return null;
  const [key, certificate] = [join(folder, 'client.key'), join(folder, 'client.crt')];
  const ask = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${CLIENT}`];
  await run('openssl', [...ask, '-keyout', key, '-out', certificate]);
  const [keyText, text] = await Promise.all([key, certificate].map((file) => readFile(file, 'utf8')));
  return { account: CLIENT, certificate: text!, key: keyText! };
}
