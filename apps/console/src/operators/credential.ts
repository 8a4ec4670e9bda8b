import { createHash } from 'node:crypto';
import type { SignedIn } from './operator.ts';
import type { OperatorsFile } from './operators-file.adapter.ts';

/** Settings that hold what operators sign in with. */
export interface CredentialsConfig {
  readonly operators: OperatorsFile;
  readonly console: { readonly linkSecret: string | null };
  readonly oidc: { readonly issuer: string } | null;
}

/**
 * SHA-256 of what somebody signs in with by the present configuration: the stored hash of the password, the secret of
 * the link, or the provider with its `sub`. Null if there is no such thing any more. A session counts as long as it is
 * equal to that of the sign-in, so no call derives a key from a password.
 */
export function credentialFingerprint(
  { method, name, subject }: Pick<SignedIn, 'method' | 'name' | 'subject'>,
  { operators, console: settings, oidc }: CredentialsConfig,
): Buffer | null {
  if (method === 'link') return fingerprint(method, settings.linkSecret);
  if (method === 'oidc') return fingerprint(method, oidc?.issuer, subject);
  return fingerprint(method, name, operators.users.get(name)?.passwordHash);
}

/** Null if a part is missing. */
function fingerprint(...parts: ReadonlyArray<string | null | undefined>): Buffer | null {
  if (parts.some((part) => part === null || part === undefined)) return null;
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
