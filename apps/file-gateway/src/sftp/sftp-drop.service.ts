import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import type { Unavailable } from '@gondola/platform-client/answers';
import { type DroppedImage, dropFileName, dropFolder, isDropFileOf } from '@gondola/platform-client/drop-names';
import {
  type CallEvidence,
  DEFAULT_BREAKER_SETTINGS,
  type ScopedEvidence,
} from '@gondola/platform-client/circuit-breaker';
import { TenantPassage } from '@gondola/platform-client/tenant-passage';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Clock } from '@gondola/service-kit/run/clock';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { type CallOptions, NOT_READABLE } from '../platform/platform.adapter.ts';
import type { HeldImage } from '../uploads/held-content.ts';
import { UploadsRepository } from '../uploads/uploads.repository.ts';
import { PinnedKeys } from './pinned-keys.ts';
import { SftpConnection, type SftpServer } from './sftp-connection.adapter.ts';
import { reasonOf, SftpError } from './sftp-error.ts';
import { needsSomebody } from './sftp-texts.ts';
import { SftpMetrics } from './sftp.metrics.ts';

type Tenant = Pick<TenantConfig<'platform' | 'sftp'>, 'id' | 'contractAccountId' | 'platform' | 'sftp'>;

/** Images of a SKU to be placed where a linking call finds them. */
export interface ToPlace {
  readonly skuExternalReference: string;
  readonly images: readonly HeldImage[];
  /** Orders that an earlier session placed: they are checked, and placed again only if they are gone. */
  readonly placed: readonly number[];
}

export interface Placing {
  /** Orders of the images that are placed, even if the session failed. */
  readonly placed: readonly number[];
  /** Null: all images are placed. */
  readonly problem: Unavailable | null;
}

interface Drop {
  readonly tenant: Tenant;
  readonly server: SftpServer;
  readonly folder: string;
  readonly passage: TenantPassage;
}

/** Result of one session. */
interface Session {
  readonly placed: readonly number[];
  /** Reason why not all images are placed. */
  readonly error: SftpError | null;
}

/** Suffix of a file that is being written, so that no picture has its name. */
const UNFINISHED = '.part';
/** The only route of an SFTP server, by which its circuit breaker is found. */
const SESSIONS = 'sessions';
/** Wait before a request is repeated that the server refused. */
const REFUSED_WAIT_MS = 30_000;

/**
 * SFTP drops of the tenants (rule 34; docs/platform.md, "Files"): images are written under temporary names, renamed
 * when they are complete, and not shown before a linking call. A tenant's sessions pass its own bulkhead and
 * circuit breaker, as its HTTP calls do.
 */
@Injectable()
export class SftpDrop {
  readonly #drops: ReadonlyMap<string, Drop>;

  constructor(
    private readonly uploads: UploadsRepository,
    private readonly metrics: SftpMetrics,
    private readonly clock: Clock,
    { fraction: random }: Randomness,
    @Inject(CONFIG) private readonly config: Pick<Config, 'times'>,
    private readonly modes: ShadowModes,
    @Inject(TENANTS) tenants: readonly Tenant[],
  ) {
    const now = () => clock.now();
    const drops = tenants.flatMap((tenant): [string, Drop][] => {
      const { id, contractAccountId, platform, sftp } = tenant;
      if (sftp === null) return [];
      const { connections: concurrency, contractFolder, host, port, username, password } = sftp;
      const server = { host, port, username, password, hostKeys: new PinnedKeys(sftp.hostKeys) };
      const folder = dropFolder(platform.profile, { contractFolder, contractAccountId });
      const passage = new TenantPassage({ concurrency, breaker: DEFAULT_BREAKER_SETTINGS, now, random });
      return [[id, { tenant, server, folder, passage }]];
    });
    this.#drops = new Map(drops);
  }

  /** True if the tenant's images are sent by SFTP. */
  has(tenant: string): boolean {
    return this.#drops.has(tenant);
  }

  /** File name of a placed image. */
  nameOf(tenant: string, skuExternalReference: string, { order, sha256, mediaType }: HeldImage): string {
    const image: DroppedImage = { skuExternalReference, order, sha256, mediaType };
    return dropFileName(this.#of(tenant).tenant.platform.profile, image);
  }

  /**
   * Places images in one session. May be repeated: images that are already placed stay. A tenant in shadow places none;
   * the linking call, which is left out, names them.
   */
  async place(asked: ToPlace, options: CallOptions): Promise<Placing> {
    const drop = this.#of(options.tenant);
    const cameAt = options.askedBy?.[0]?.cameAt ?? null;
    if (this.modes.of(options.tenant, cameAt) === 'shadow')
      return { placed: asked.images.map(({ order }) => order), problem: null };
    const evidenceOf = ({ error }: Session) => evidence(error, asked.skuExternalReference);
    const passage = await drop.passage.pass(SESSIONS, () => this.#session(drop, asked, options), evidenceOf);
    if (passage.kind === 'blocked') {
      const cause = causeOf(this.metrics.reasonOf(options.tenant) ?? passage.cause);
      return { placed: asked.placed, problem: { kind: 'unavailable', cause, retryAfterMs: passage.retryAfterMs } };
    }
    const { placed, error } = passage.result;
    if (error === null) return { placed, problem: null };
    if (error.code === 'content') return { placed, problem: NOT_READABLE };
    const ownMs = error.code === 'refused' ? REFUSED_WAIT_MS : DEFAULT_BREAKER_SETTINGS.firstOpenMs;
    const retryAfterMs = drop.passage.waitMs(SESSIONS) ?? ownMs;
    return { placed, problem: { kind: 'unavailable', cause: causeOf(reasonOf(error)), retryAfterMs } };
  }

  async #session(drop: Drop, asked: ToPlace, { signal, traceparent }: CallOptions): Promise<Session> {
    const { skuExternalReference, images } = asked;
    const { host, port } = drop.server;
    const { platformTimeoutMs: connectMs, uploadTimeoutMs } = this.config.times;
    const startedAtMs = this.clock.now();
    const placed: number[] = [];
    const about = { tenant: drop.tenant.id, host, port, skuExternalReference, traceparent };
    const seen = () => ({ ...about, count: placed.length, durationMs: this.clock.now() - startedAtMs });
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), uploadTimeoutMs);
    let connection: SftpConnection | null = null;
    try {
      const limits = { connectMs, signal: AbortSignal.any([signal, timeout.signal]) };
      connection = await SftpConnection.open(drop.server, limits);
      await this.#removeUnfinished(connection, drop, asked);
      await this.#removeOthers(connection, drop, asked);
      for (const image of images) {
        await this.#placeOne(connection, drop, asked, image);
        placed.push(image.order);
      }
      this.metrics.placed(seen());
      return { placed, error: null };
    } catch (thrown) {
      if (!(thrown instanceof SftpError)) throw thrown;
      const isLate = thrown.code === 'given-up' && timeout.signal.aborted;
      const error = isLate ? new SftpError('timeout') : thrown;
      this.metrics.failed(seen(), error);
      return { placed, error };
    } finally {
      clearTimeout(timer);
      connection?.close();
    }
  }

  async #placeOne(connection: SftpConnection, drop: Drop, asked: ToPlace, image: HeldImage): Promise<void> {
    const path = `${drop.folder}/${this.nameOf(drop.tenant.id, asked.skuExternalReference, image)}`;
    const there = await connection.sizeOf(path);
    // A file that no session of this command placed may hold other content of the same size.
    if (there === image.size && asked.placed.includes(image.order)) return;
    const written = await connection.write(`${path}${UNFINISHED}`, this.uploads.chunks(image.uploadId));
    if (written !== image.size) throw new SftpError('content');
    if ((await connection.sizeOf(`${path}${UNFINISHED}`)) !== image.size)
      throw new SftpError('refused', { step: 'look', detail: 'another size than was written' });
    // SFTP does not rename onto an existing file.
    if (there !== null) await connection.remove(path);
    await connection.rename(`${path}${UNFINISHED}`, path);
  }

  /** Files of the SKU that a cut session left, whichever command it was of; nothing depends on their removal. */
  async #removeUnfinished(connection: SftpConnection, { tenant, folder }: Drop, asked: ToPlace): Promise<void> {
    const { profile } = tenant.platform;
    try {
      for (const name of await connection.names(folder)) {
        const placedName = name.endsWith(UNFINISHED) ? name.slice(0, -UNFINISHED.length) : null;
        if (placedName === null || !isDropFileOf(profile, asked.skuExternalReference, placedName)) continue;
        await connection.remove(`${folder}/${name}`);
      }
    } catch (error) {
      if (!(error instanceof SftpError) || error.code !== 'refused') throw error;
    }
  }

  /**
   * A call that names no files links all files of the SKU, so files that an earlier command left unlinked are
   * removed.
   */
  async #removeOthers(connection: SftpConnection, drop: Drop, asked: ToPlace): Promise<void> {
    const { id, platform } = drop.tenant;
    if (platform.profile.linkedNamesField !== null) return;
    const own = new Set(asked.images.map((image) => this.nameOf(id, asked.skuExternalReference, image)));
    for (const name of await connection.names(drop.folder)) {
      const isOther = !own.has(name) && isDropFileOf(platform.profile, asked.skuExternalReference, name);
      if (isOther) await connection.remove(`${drop.folder}/${name}`);
    }
  }

  #of(tenant: string): Drop {
    const drop = this.#drops.get(tenant);
    if (drop === undefined) throw new Error('The tenant has no SFTP server');
    return drop;
  }
}

/** Cause as shown to operators beside the causes of HTTP calls. */
function causeOf(trouble: string): string {
  return `sftp-${trouble}`;
}

/** Evidence of a session about the server's health. */
function evidence(error: Session['error'], about: string): ScopedEvidence {
  return { scope: 'route', evidence: sessionEvidence(error, about) };
}

function sessionEvidence(error: Session['error'], about: string): CallEvidence {
  if (error === null) return { kind: 'answered' };
  if (error.code === 'content' || error.code === 'given-up') return { kind: 'nothing' };
  if (needsSomebody(error)) return { kind: 'credentials' };
  if (error.code === 'refused') return { kind: 'answered' };
  return { kind: 'failed', about: error.code === 'unreachable' ? null : about };
}
