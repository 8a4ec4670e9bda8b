// A stranger as a process: `node stranger.ts DOOR` opens connections of each hostile kind at one door for a minute, and
// prints what became of them. It has a low priority, since the machines of strangers are not the shop's.
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type Door, type Hostility, hostilities } from './hostile-kinds.ts';

/** Connections of each kind, and the time over which they come. */
export interface Visit {
  readonly door: Door;
  readonly connections: number;
  readonly ms: number;
}

/** The connections of each kind that opened, and the statuses that they read first. */
export type Fates = Record<string, { opened: number; statuses: Record<string, number> }>;

const FIRST_STATUS = /^HTTP\/1\.1 (\d{3})/;
const ADDRESSES_OF_A_NETWORK = 250;
/** Its bytes have arrived by then. */
const SOON_MS = 50;

const { door, connections, ms } = JSON.parse(process.argv[2] ?? '') as Visit;
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const fates: Fates = {};
const open = new Set<Socket>();
const beganAt = performance.now();

for (let index = 0; index < connections; index += 1) {
  const dueMs = (index * ms) / connections;
  const early = beganAt + dueMs - performance.now();
  if (early > 0) await pause(early);
  for (const [kind, hostility] of Object.entries(hostilities(door, index))) visit(kind, hostility, index);
}
await pause(Math.max(0, beganAt + ms - performance.now()));
for (const socket of open) socket.destroy();
process.stdout.write(`${JSON.stringify(fates)}\n`);

/** From an address of its own, as many strangers have. */
function visit(kind: string, hostility: Hostility, index: number): void {
  const fate = (fates[kind] ??= { opened: 0, statuses: {} });
  const address = `127.1.${Math.floor(index / ADDRESSES_OF_A_NETWORK)}.${(index % ADDRESSES_OF_A_NETWORK) + 1}`;
  const socket = connect({ port: door.port, host: '127.0.0.1', localAddress: address });
  open.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => open.delete(socket));
  socket.once('connect', () => {
    fate.opened += 1;
    void attack(socket, hostility);
  });
  if (hostility.isDeaf === true) return void socket.pause();
  socket.once('data', (bytes: Buffer) => {
    const status = FIRST_STATUS.exec(bytes.toString('latin1'))?.[1] ?? 'no HTTP';
    fate.statuses[status] = (fate.statuses[status] ?? 0) + 1;
  });
  socket.resume();
}

async function attack(socket: Socket, { writes, repeats = 0, everyMs = 0, vanishes }: Hostility): Promise<void> {
  for (const write of writes) socket.write(write, 'latin1');
  if (vanishes === true) return void setTimeout(() => socket.resetAndDestroy(), SOON_MS);
  for (let repeat = 0; repeat < repeats && !socket.destroyed; repeat += 1) {
    await pause(everyMs);
    socket.write(writes.at(-1) ?? '', 'latin1');
  }
}
