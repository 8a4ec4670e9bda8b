import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';

const HEADER_BYTES = 12;
const TYPES = { A: 1, AAAA: 28 } as const;

/** Answers of one look-up: IPv4 or IPv6 addresses, or none. */
export type Answers = () => readonly string[];

/** A real DNS server on a free UDP port of 127.0.0.1, whose answers a test sets. */
export class DnsServer {
  /** Names of all questions of type A. */
  readonly asked: string[] = [];
  readonly #names = new Map<string, Answers>();

  private constructor(private readonly socket: Socket) {}

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket);
    socket.on('message', (query, { port, address }) => socket.send(server.#answer(query), port, address));
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  name(name: string, answers: Answers): void {
    this.#names.set(name, answers);
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  #answer(query: Buffer): Buffer {
    const { name, end } = questionOf(query);
    const type = query.readUInt16BE(end);
    if (type === TYPES.A) this.asked.push(name);
    const version = type === TYPES.A ? 4 : 6;
    // Both queries of one look-up are answered from the same list.
    const all = this.#names.get(name)?.() ?? [];
    const records = all.filter((address) => isIP(address) === version).map((address) => record(type, address));
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), ...records]);
  }
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** A record whose name points to the question's name, with a lifetime of 0 seconds. */
function record(type: number, address: string): Buffer {
  const data = isIP(address) === 4 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...left, ...zeros, ...right].entries())
    bytes.writeUInt16BE(parseInt(group, 16), index * 2);
  return bytes;
}
