import { isAddress, isLocalAddress, isPublicAddress, reachOf } from './reachable-address.ts';

/** `private`: its operator declares it to be of this machine or a private network, where http is allowed, too. */
export type Receiver = { readonly url: string; readonly private: boolean };

/** Reason against the address of another HTTP receiver. */
export type ReceiverProblem = 'malformed' | 'user-info' | 'not-https' | 'not-public' | 'not-private';

/**
 * Judges the address of another HTTP receiver by its text; null: it may be connected to, at the addresses that
 * `isReceiverAddress` allows. One of the internet has https, since a token travels to it. Pure.
 */
export function receiverProblem({ url, private: isPrivate }: Receiver): ReceiverProblem | null {
  if (!URL.canParse(url)) return 'malformed';
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'malformed';
  if (username !== '' || password !== '') return 'user-info';
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isPrivate) return isAddress(address) && !isLocalAddress(address) ? 'not-private' : null;
  if (reachOf(hostname) !== 'internet') return 'not-public';
  return protocol === 'https:' ? null : 'not-https';
}

/** True if a connection to the receiver may go to this address, which its name has now. */
export function isReceiverAddress(address: string, isPrivate: boolean): boolean {
  return isPrivate ? isLocalAddress(address) : isPublicAddress(address);
}
