import { once } from 'node:events';

interface Answer {
  readonly id: number;
  readonly result: { readonly usedSize: number; readonly backingStorageSize: number };
}

/** The heap of a process of Node.js that runs with `--inspect=127.0.0.1:<port>`, seen by its inspector. */
export class LiveHeap {
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async of(inspectorPort: number): Promise<LiveHeap> {
    const targets = await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json();
    const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }];
    const socket = new WebSocket(webSocketDebuggerUrl);
    await once(socket, 'open');
    return new LiveHeap(socket);
  }

  /** Bytes that a full garbage collection leaves, contents of buffers included. */
  async bytes(): Promise<number> {
    await this.#call('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await this.#call('Runtime.getHeapUsage');
    return usedSize + backingStorageSize;
  }

  close(): void {
    this.#socket.close();
  }

  async #call(method: string): Promise<Answer['result']> {
    this.#calls += 1;
    const id = this.#calls;
    const { promise, resolve } = Promise.withResolvers<Answer['result']>();
    const listen = ({ data }: MessageEvent): void => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id === id) resolve(answer.result);
    };
    this.#socket.addEventListener('message', listen);
    this.#socket.send(JSON.stringify({ id, method }));
    const result = await promise;
    this.#socket.removeEventListener('message', listen);
    return result;
  }
}
