import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';

export interface HeldPort {
  readonly port: number;
  release(): void;
}

/**
 * A port of 127.0.0.1 that refuses connections while it is held: the local end of a connection to a server at
 * `port`. Another process could take a port that is merely free.
 */
export async function heldPort(port: number): Promise<HeldPort> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { port: (socket.address() as AddressInfo).port, release: () => void socket.destroy() };
}
