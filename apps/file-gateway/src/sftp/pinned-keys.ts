import { createHash } from 'node:crypto';

/** Algorithms by the type of key that they are for, in the order in which they are asked for. */
const ALGORITHMS = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
} as const;

type KeyType = keyof typeof ALGORITHMS;
export type KeyAlgorithm = (typeof ALGORITHMS)[KeyType][number];

const TYPES = Object.keys(ALGORITHMS) as KeyType[];
/** A key begins with the length of its type's name. */
const LENGTH_BYTES = 4;

/**
 * Pinned host keys of a server. A server has a key of each type and shows one, by the algorithms that the client
 * offers, so a key that is not pinned says only that its type is not the one to ask for.
 */
export class PinnedKeys {
  /** Type of the key that was accepted last, which is asked for first. */
  #accepted: string | null = null;

  /** @param fingerprints `SHA256:…` */
  constructor(private readonly fingerprints: readonly string[]) {}

  /** True if a key is pinned. */
  accepts(key: Buffer): boolean {
    if (!this.fingerprints.includes(fingerprintOf(key))) return false;
    this.#accepted = typeOf(key);
    return true;
  }

  /** Algorithms to offer after the server showed these keys, which are not pinned; none if it has no other type. */
  offered(shown: readonly Buffer[]): KeyAlgorithm[] {
    const strange = new Set(shown.map(typeOf));
    const left = TYPES.filter((type) => !strange.has(type));
    const isFirst = (type: KeyType) => Number(type === this.#accepted);
    return left.toSorted((one, other) => isFirst(other) - isFirst(one)).flatMap((type) => ALGORITHMS[type]);
  }
}

/** A key for operators: fingerprint in the form of `ssh-keygen -l`, and type. */
export function describeKey(key: Buffer): string {
  return `${fingerprintOf(key)} (${typeOf(key)})`;
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function typeOf(key: Buffer): string {
  return key.length < LENGTH_BYTES ? '' : key.toString('latin1', LENGTH_BYTES, LENGTH_BYTES + key.readUInt32BE(0));
}
