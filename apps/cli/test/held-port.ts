import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';

export interface HeldPort {
  readonly port: number;
  release(): void;
}

/**
 * A port of 127.0.0.1 that refuses connections for as long as it is held: the near end of a connection to a server at
 * `port`. A port that is merely free may be somebody else's a moment later.
 */
export async function heldPort(port: number): Promise<HeldPort> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { port: (socket.address() as AddressInfo).port, release: () => void socket.destroy() };
}
