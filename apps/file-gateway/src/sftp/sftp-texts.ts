import type { SftpError, SftpStep, SftpTrouble } from './sftp-error.ts';

/** Log messages of failures that stay until somebody changes the server or the tenants file. */
const ALERTS = {
  'host-key': 'An SFTP server shows other host keys than the pinned ones: nothing is sent',
  'no-common-algorithm':
    'An SFTP server has no algorithm in common with this app, which offers no SHA-1 key exchange and no CBC cipher: nothing is sent',
  credentials: 'An SFTP server refuses the user and password of a tenant: nothing is sent',
  'no-password':
    'An SFTP server lets nobody log in by a password: nothing is sent until it allows the method password or keyboard-interactive for the user',
  'log-in-question':
    'An SFTP server asks for something besides the password: nothing is sent until the password alone is enough for the user',
} as const satisfies Partial<Record<SftpTrouble, string>>;

const REFUSALS: Readonly<Record<SftpStep, string>> = {
  list: 'An SFTP server refuses to list the folder of the images: the folder must exist, and the user must be allowed to list it',
  look: 'An SFTP server does not show a file as it was written: the user must be allowed to look at files whose names end in .part, which no other program may change',
  write:
    'An SFTP server refuses to write a file: the folder must exist with room in it, and the user must be allowed to write there, also names that end in .part, which a picture has until it is complete',
  rename:
    'An SFTP server refuses to rename a complete file: the user must be allowed to rename a name that ends in .part to the name of the picture',
  remove:
    'An SFTP server refuses to remove a file that is replaced: the user must be allowed to remove files of the folder',
};

/** True if a session fails until somebody changes the server or the tenants file. */
export function needsSomebody({ code }: Pick<SftpError, 'code'>): boolean {
  return code in ALERTS;
}

/** Log message of a failed session, with what an administrator has to allow. */
export function messageOf({ code, step }: Pick<SftpError, 'code' | 'step'>): string {
  if (code in ALERTS) return ALERTS[code as keyof typeof ALERTS];
  return step === null ? 'A session with an SFTP server failed' : REFUSALS[step];
}
