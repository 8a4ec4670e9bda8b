import type { Socket } from 'node:net';

/** Connections on which valid credentials have been shown. */
const SHOWN = new WeakSet<Socket>();

/** Notes that a request on this connection showed valid credentials: its sender is no stranger any more. */
export function noteKnownSender({ socket }: { readonly socket: Socket }): void {
  SHOWN.add(socket);
}

export function isKnownSender(socket: Socket): boolean {
  return SHOWN.has(socket);
}
