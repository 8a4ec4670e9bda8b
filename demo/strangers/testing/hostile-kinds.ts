// Connections of strangers, as bytes: each kind once, for every public port.

/** Writes of one connection; between them it waits `everyMs`. */
export interface Hostility {
  /** Sent one after the other; the last one is repeated while `repeats` lasts. */
  readonly writes: readonly string[];
  /** Default 0: the writes come as they are, once. */
  readonly repeats?: number;
  readonly everyMs?: number;
  /** True for one that never reads an answer. */
  readonly isDeaf?: boolean;
  /** True for one that resets the connection after its writes. */
  readonly vanishes?: boolean;
}

/** A public port as strangers know it. */
export interface Door {
  readonly app: string;
  readonly port: number;
  /** The route that everybody may call, and its longest answer. */
  readonly post: string;
  readonly get: string;
  /** Length that it takes from those whom it knows. */
  readonly longestBody: number;
  /** Headers that its posts need to be looked at. */
  readonly headers: string;
}

const SHORT_BODY = 16_000;
const LONG_PART = 65_536;
const SLOW_MS = 2_000;
const SLOW_WRITES = 30;
const PIPELINED = 200;
const UNREAD = 8;

/** The `index`-th connection of each kind at a door, by name. */
export function hostilities(door: Door, index: number): Readonly<Record<string, Hostility>> {
  const host = `127.0.0.1:${door.port}`;
  const post = (length: number, more = '') =>
    `POST ${door.post} HTTP/1.1\r\nHost: ${host}\r\n${door.headers}${more}Content-Length: ${length}\r\n\r\n`;
  const get = `GET ${door.get} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const wrong = `Authorization: Bearer ${'w'.repeat(32)}${index}\r\nCookie: gondola=${'w'.repeat(38)}${10_000 + index}\r\n`;
  return {
    'says nothing': { writes: [] },
    'sends its headers by the byte': {
      writes: ['POST / HTTP/1.1\r\nX-Slow: ', 'x'],
      repeats: SLOW_WRITES,
      everyMs: SLOW_MS,
    },
    'sends its body by the byte': { writes: [post(SHORT_BODY), '{'], repeats: SLOW_WRITES, everyMs: SLOW_MS },
    'stops in a long body': { writes: [post(door.longestBody, wrong), 'x'.repeat(LONG_PART)] },
    'shows a wrong token': { writes: [post(SHORT_BODY, wrong) + 'x'.repeat(SHORT_BODY)] },
    'reads no answers': { writes: [get.repeat(UNREAD)], isDeaf: true },
    'asks without waiting': { writes: [get.repeat(PIPELINED)] },
    'speaks no HTTP': {
      writes: ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'.padEnd(517, '\u0000')],
    },
    'vanishes in its body': { writes: [post(SHORT_BODY), 'x'.repeat(SHORT_BODY / 2)], vanishes: true },
    ...(door.app === 'console' && { 'guesses a password': { writes: [guess(door, index)] } }),
  };
}

/** Every third for the operator's own name, from an address of its own. */
function guess({ port, post, headers }: Door, index: number): string {
  const body = JSON.stringify({
    name: index % 3 === 0 ? 'Cliente Teste 01' : `nobody-${index}`,
    password: `guess ${index}`,
  });
  return `POST ${post} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}
