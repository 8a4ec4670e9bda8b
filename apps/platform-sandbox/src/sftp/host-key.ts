import { generateKeyPairSync } from 'node:crypto';

/**
 * A new private key (PEM) for an SSH server: ECDSA, because ssh2 cannot read one in 256 of the Ed25519 keys that it
 * generates itself (it drops leading zeros of the public part).
 */
export function newHostKey(): string {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}
