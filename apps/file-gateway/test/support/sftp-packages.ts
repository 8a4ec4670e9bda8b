import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, configFile, PATH, type Prepared, type SftpPackage, USER } from './packaged-sftp-server.ts';

const USER_ID = 54_321;
/** OpenSSH's SFTP server as Debian installs it; Dropbear has none of its own. */
const SFTP_SERVER = '/usr/lib/openssh/sftp-server';

/** OpenSSH, which sees a user database and PAM of its own. */
function openSsh(settings: readonly string[]): Command {
  return async (prepared) => {
    const { folder, home, port, keyFiles } = prepared;
    const users = await ownUsers(prepared, '/');
    const pam = await configFile(
      join(folder, 'pam'),
      `auth required pam_unix.so
       account required pam_unix.so
       session required pam_permit.so`,
    );
    const config = await configFile(
      join(folder, 'config'),
      `Port ${port}
       ListenAddress 127.0.0.1
       PidFile none
       LogLevel VERBOSE
       UsePAM yes
       ChrootDirectory /srv
       Subsystem sftp internal-sftp
       ${keyFiles.map((key) => `HostKey ${key}`).join('\n')}
       ${settings.join('\n')}`,
    );
    return inOwnMounts([
      ...users,
      // OpenSSH takes no root that lies below a folder to which everybody may write.
      `mount --bind ${home} /srv`,
      `mkdir ${folder}/pam.d && cp ${pam} ${folder}/pam.d/sshd && mount --bind ${folder}/pam.d /etc/pam.d`,
      'mount -t tmpfs tmpfs /run && mkdir /run/sshd',
      `exec $(command -v sshd) -D -e -f ${config}`,
    ]);
  };
}

const BY_PASSWORD = ['PasswordAuthentication yes', 'KbdInteractiveAuthentication no'];
const BY_QUESTION = ['PasswordAuthentication no', 'KbdInteractiveAuthentication yes'];

export const OPEN_SSH: SftpPackage = {
  name: 'OpenSSH',
  needs: 'root and sshd',
  version: async () => versionOf('sshd', '-V', /OpenSSH_[^\s,]+/),
  setups: {
    password: openSsh(BY_PASSWORD),
    question: openSsh(BY_QUESTION),
    'one attempt': openSsh([...BY_QUESTION, 'MaxAuthTries 1']),
    'password or question': openSsh(['PasswordAuthentication yes', 'KbdInteractiveAuthentication yes']),
    'password and question': openSsh(['AuthenticationMethods password,keyboard-interactive', ...BY_QUESTION.slice(1)]),
    'keys only': openSsh(['AuthenticationMethods publickey']),
    'old key exchange': openSsh(['KexAlgorithms diffie-hellman-group14-sha1', ...BY_PASSWORD]),
    'no renaming': openSsh([...BY_PASSWORD, 'ForceCommand internal-sftp -P rename']),
  },
};

/** ProFTPD with mod_sftp. */
function proFtpd(...settings: readonly string[]): Command {
  return async (prepared) => {
    const { folder, home, port, keyFiles } = prepared;
    giveDrop(prepared);
    const account = `${USER.username}:${passwordHash()}:${USER_ID}:${USER_ID}::${home}:/bin/sh`;
    const users = await configFile(join(folder, 'users'), account, 0o600);
    const config = await configFile(
      join(folder, 'config'),
      `ModulePath ${proFtpdModules()}
       LoadModule mod_sftp.c
       ServerType standalone
       DefaultAddress 127.0.0.1
       Port ${port}
       User nobody
       Group nogroup
       PidFile ${folder}/pid
       ScoreboardFile ${folder}/scores
       WtmpLog off
       UseReverseDNS off
       SFTPEngine on
       RequireValidShell off
       DefaultRoot ~
       AuthUserFile ${users}
       AuthOrder mod_auth_file.c
       ${keyFiles.map((key) => `SFTPHostKey ${key}`).join('\n')}
       ${settings.join('\n')}`,
    );
    return ['proftpd', '-n', '-q', '-c', config];
  };
}

const BY_PASSWORD_ALONE = 'SFTPAuthMethods password';

export const PRO_FTPD: SftpPackage = {
  name: 'ProFTPD',
  needs: 'root and proftpd with mod_sftp',
  version: async () =>
    existsSync(join(proFtpdModules(), 'mod_sftp.so')) ? versionOf('proftpd', '-v', /ProFTPD Version \S+/) : null,
  setups: {
    password: proFtpd(BY_PASSWORD_ALONE),
    'keys only': proFtpd('SFTPAuthMethods publickey', 'SFTPAuthorizedUserKeys file:~/.ssh/authorized_keys'),
    'old key exchange': proFtpd(BY_PASSWORD_ALONE, 'SFTPKeyExchanges diffie-hellman-group14-sha1'),
    'no renaming': proFtpd(BY_PASSWORD_ALONE, '<Limit RNFR RNTO>', 'DenyAll', '</Limit>'),
    'pictures only': proFtpd(BY_PASSWORD_ALONE, 'PathAllowFilter "\\.(png|jpe?g|webp|gif)$|/drop/?$|^/?$"'),
  },
};

/** Folder of ProFTPD's modules, beside its program. */
function proFtpdModules(): string {
  const program = PATH.split(':')
    .map((folder) => join(folder, 'proftpd'))
    .find((path) => existsSync(path));
  return join(program ?? '/', '../../lib/proftpd');
}

/** Dropbear, which sees a user database of its own; its user sees the whole machine's folders. */
function dropbear(...options: readonly string[]): Command {
  return async (prepared) => {
    const { home, port, keyFiles } = prepared;
    const users = await ownUsers(prepared, home);
    const keys = keyFiles.map((key) => `-r ${key}.own`);
    return inOwnMounts([
      ...users,
      ...keyFiles.map((key) => `dropbearconvert openssh dropbear ${key} ${key}.own`),
      `exec $(command -v dropbear) -F -E -p 127.0.0.1:${port} -P '' ${keys.join(' ')} ${options.join(' ')}`,
    ]);
  };
}

export const DROPBEAR: SftpPackage = {
  name: 'Dropbear',
  needs: 'root, dropbear and openssh-sftp-server',
  version: async () => (existsSync(SFTP_SERVER) ? versionOf('dropbear', '-V', /Dropbear \S+/) : null),
  setups: {
    password: dropbear(),
    'one attempt': dropbear('-T', '1'),
    'keys only': dropbear('-s'),
    'no renaming': dropbear('-c', `'${SFTP_SERVER} -P rename'`),
  },
  dropIn: (home) => join(home, 'drop'),
};

/** Version that a program prints; null where the machine lacks it, or the right to give it users of its own. */
function versionOf(program: string, option: string, version: RegExp): string | null {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || spawnSync('unshare', ['--mount', 'true']).status !== 0) return null;
  const { stdout, stderr, error } = spawnSync(program, [option], { encoding: 'utf8', env: { ...process.env, PATH } });
  return error === undefined ? (version.exec(stdout + stderr)?.[0] ?? null) : null;
}

/** Commands of the shell that replace the machine's users, and give the drop to the one of them that logs in. */
async function ownUsers(prepared: Prepared, home: string): Promise<string[]> {
  giveDrop(prepared);
  const passwd = await configFile(
    join(prepared.folder, 'passwd'),
    `root:x:0:0::/root:/bin/sh
     sshd:x:54320:65534::/run/sshd:/bin/false
     ${USER.username}:x:${USER_ID}:${USER_ID}::${home}:/bin/sh`,
  );
  const shadow = await configFile(
    join(prepared.folder, 'shadow'),
    `root:*:1::::::
     sshd:*:1::::::
     ${USER.username}:${passwordHash()}:19000::::::`,
  );
  return [`mount --bind ${passwd} /etc/passwd`, `mount --bind ${shadow} /etc/shadow`];
}

/** A command that runs those of the shell, whose mounts nobody else sees. */
function inOwnMounts(commands: readonly string[]): string[] {
  return ['unshare', '--mount', 'sh', '-c', commands.join(' && ')];
}

function giveDrop({ home }: Prepared): void {
  execFileSync('chown', [`${USER_ID}:${USER_ID}`, join(home, 'drop')]);
}

/** Hash of the password in the form of `crypt`. */
function passwordHash(): string {
  return execFileSync('openssl', ['passwd', '-6', USER.password], { encoding: 'utf8' }).trim();
}
