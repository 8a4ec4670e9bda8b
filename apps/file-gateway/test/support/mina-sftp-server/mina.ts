import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { findJava } from '@gondola/local-stack/java';
import { ensureMavenJars, jarsFolder } from '@gondola/local-stack/maven-jars';
import { type Command, configFile, type SftpPackage, USER } from '../packaged-sftp-server.ts';

/** Same version as in `pom.xml`. */
const VERSION = '2.20.0';
const POM = join(import.meta.dirname, 'pom.xml');
const SOURCE = join(import.meta.dirname, 'MinaSftpServer.java');
const JARS = jarsFolder(`mina-sshd-${VERSION}`);

/** Apache MINA SSHD, with names and values for `MinaSftpServer.java`. */
function mina(settings: readonly string[]): Command {
  return async ({ folder, home, port, keyFiles }) => {
    const config = await configFile(
      join(folder, 'config'),
      `port=${port}
       home=${home}
       username=${USER.username}
       password=${USER.password}
       hostKeys=${keyFiles.join(',')}
       ${settings.join('\n')}`,
    );
    const java = await findJava(hostEnvironment());
    return [java, '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', join(JARS, '*'), SOURCE, config];
  };
}

export const MINA: SftpPackage = {
  name: 'Apache MINA SSHD',
  needs: 'a JDK, and Maven or what it fetched before',
  version: async () => ((await isRunnable()) ? `Apache MINA SSHD ${VERSION}` : null),
  setups: {
    password: mina(['methods=password']),
    question: mina(['methods=keyboard-interactive']),
    'one attempt': mina(['methods=keyboard-interactive', 'attempts=1']),
    'password or question': mina(['methods=password keyboard-interactive']),
    'password and question': mina(['methods=password,keyboard-interactive']),
    'keys only': mina(['methods=publickey']),
    'old key exchange': mina(['methods=password', 'keyExchange=diffie-hellman-group14-sha1']),
    'no renaming': mina(['methods=password', 'renames=false']),
    'pictures only': mina(['methods=password', String.raw`names=.*\\.(png|jpe?g|webp|gif)|/drop/?|/?`]),
  },
};

/** True if there are the jars, and a Java that compiles the source: one without a compiler runs Kafka, but not this. */
async function isRunnable(): Promise<boolean> {
  const env = hostEnvironment();
  try {
    const modules = spawnSync(await findJava(env), ['--list-modules'], { encoding: 'utf8' }).stdout;
    if (!modules.includes('jdk.compiler')) return false;
    const pom = await readFile(POM, 'utf8');
    const program = { program: 'Apache MINA SSHD', version: VERSION, megabytes: 2, pom, folder: JARS };
    await ensureMavenJars({ ...program, env, log: () => {} });
    return true;
  } catch {
    return false;
  }
}
