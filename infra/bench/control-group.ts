import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of the two versions of Linux' control groups (`man 7 cgroups`). */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup',
    proof: 'cgroup.subtree_control',
    path: /^0::(.*)$/m,
    delegation: 'cgroup.subtree_control',
    limit: 'memory.max',
    withSwap: { file: 'memory.swap.max', bytesOf: () => 0 },
    peak: 'memory.peak',
    kills: 'memory.events',
  },
  {
    root: '/sys/fs/cgroup/memory',
    proof: 'memory.limit_in_bytes',
    path: /^\d+:memory:(.*)$/m,
    delegation: null,
    limit: 'memory.limit_in_bytes',
    withSwap: { file: 'memory.memsw.limit_in_bytes', bytesOf: (bytes: number) => bytes },
    peak: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
  },
] as const;
type Version = (typeof VERSIONS)[number];

/** Processes whose memory, with the files that they have read, has one limit, and none of which is swapped. */
export class ControlGroup {
  readonly #version: Version;
  readonly #folder: string;
  readonly #inner: ControlGroup[] = [];

  /** Null where this user may make none, or the machine has none. */
  static async createIfPossible(name: string, bytes: number): Promise<ControlGroup | null> {
    const version = VERSIONS.find(({ root, proof }) => existsSync(join(root, proof)));
    if (version === undefined) return null;
    const [, own = '/'] = version.path.exec(await readFile('/proc/self/cgroup', 'utf8')) ?? [];
    return await ControlGroup.#make(version, join(version.root, own, name), bytes).catch(() => null);
  }

  private constructor(version: Version, folder: string) {
    this.#version = version;
    this.#folder = folder;
  }

  /** A group in this one, whose limit counts, too. */
  async inner(name: string, bytes: number): Promise<ControlGroup> {
    const group = await ControlGroup.#make(this.#version, join(this.#folder, name), bytes);
    this.#inner.push(group);
    return group;
  }

  /** Moves a process, with the children that it starts from now on, to this group. */
  async take(pid: number): Promise<void> {
    await writeFile(join(this.#folder, 'cgroup.procs'), String(pid));
  }

  /** Moves a process back to the group of this process. For a group that `createIfPossible` made. */
  async release(pid: number): Promise<void> {
    await writeFile(join(this.#folder, '..', 'cgroup.procs'), String(pid));
  }

  /** The most that its processes have taken so far. */
  async peakBytes(): Promise<number> {
    return Number(await readFile(join(this.#folder, this.#version.peak), 'utf8'));
  }

  /** Processes that Linux has ended because the limit was reached. */
  async kills(): Promise<number> {
    const own = Number(/^oom_kill (\d+)$/m.exec(await readFile(join(this.#folder, this.#version.kills), 'utf8'))?.[1]);
    const inner = await Promise.all(this.#inner.map((group) => group.kills()));
    return inner.reduce((sum, kills) => sum + kills, own);
  }

  /** Only once its processes have ended. */
  async remove(): Promise<void> {
    for (const group of this.#inner) await group.remove();
    await rmdir(this.#folder);
  }

  static async #make(version: Version, folder: string, bytes: number): Promise<ControlGroup> {
    await mkdir(folder);
    try {
      if (version.delegation !== null) await writeFile(join(folder, '..', version.delegation), '+memory');
      const { file, bytesOf } = version.withSwap;
      await writeFile(join(folder, version.limit), String(bytes));
      if (existsSync(join(folder, file))) await writeFile(join(folder, file), String(bytesOf(bytes)));
      return new ControlGroup(version, folder);
    } catch (error) {
      await rmdir(folder);
      throw error;
    }
  }
}
