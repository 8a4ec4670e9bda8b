import type { MediaType } from '@gondola/shared/files/media-types';
import type { Tx } from '@gondola/service-kit/database/database';
import type { AppliedImages } from '../domain/applied-images.ts';
import type { FoundUploads } from '../domain/held-content.ts';
import type { PlatformFailure } from '../domain/platform-failure.ts';
import type { ToldFailure } from '../domain/read-order-notification.ts';

/** What the use cases need of the tables; `outbound/` has the SQL. */

export interface UploadMetadata {
  readonly uploadId: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: MediaType;
  /** RFC 3339 in UTC. */
  readonly expiresAt: string;
}

/**
 * Content as it comes in: begun, filled piece by piece, and only then there for anybody. Each call is a statement of
 * its own.
 */
export interface UploadStore {
  begin(upload: { readonly id: string; readonly tenant: string; readonly mediaType: MediaType }): Promise<void>;
  addChunk(id: string, position: number, content: Buffer): Promise<void>;
  /** Null where it was given up meanwhile. */
  complete(id: string, content: { readonly sha256: string; readonly size: number }): Promise<UploadMetadata | null>;
  /** Takes away what there is of an upload that is not complete. */
  discard(id: string): Promise<void>;
  /** A complete upload of the tenant that has not expired. */
  find(tenant: string, id: string): Promise<UploadMetadata | null>;
  /**
   * Those of the uploads that are there, by the ids as they were asked for; none of them is deleted before `tx` ends.
   */
  lock(tx: Tx, tenant: string, ids: readonly string[]): Promise<FoundUploads>;
  /** Keeps locked uploads for a command, whatever their date, until they are released. Each counts once. */
  hold(tx: Tx, ids: readonly string[]): Promise<void>;
  /**
   * Keeps a locked upload for as long as a new one, and `moreMs` longer, from now on; never shorter than before.
   * Returns until when, as RFC 3339.
   */
  prolong(tx: Tx, id: string, moreMs: number): Promise<string>;
  /** What the command held may be deleted once it has expired. */
  release(tx: Tx, ids: readonly string[]): Promise<void>;
}

export interface NewFailure extends ToldFailure {
  readonly dedupKey: string;
  readonly tenant: string;
}

/** What a lane's command has to know of refusals. */
export interface LaneFailures {
  readonly failures: readonly PlatformFailure[];
  /** The newest of all that are stored; `0` where there is none. */
  readonly newestId: string;
}

export interface FailureStore {
  /** Stores what is new; repeats are left out. */
  insert(tx: Tx, failures: readonly NewFailure[]): Promise<void>;
  /** Ids of the lanes whose operations these are about. */
  laneIdsOf(tx: Tx, failures: readonly NewFailure[]): Promise<string[]>;
  ofCommand(about: {
    readonly tenant: string;
    readonly lane: { readonly kind: string; readonly identity: string };
    readonly commandRowId: string;
    readonly operationIds: readonly string[];
  }): Promise<LaneFailures>;
  /** Remembers whose operations these are. */
  rememberOperations(
    tx: Tx,
    about: { readonly tenant: string; readonly laneId: string; readonly commandRowId: string },
    operationIds: readonly string[],
  ): Promise<void>;
}

export interface SkuStore {
  isKnown(tenant: string, externalReference: string): Promise<boolean>;
  /** Writes what is known now and what is gone. */
  save(tx: Tx, skus: readonly KnownSku[]): Promise<void>;
}

export interface KnownSku {
  readonly tenant: string;
  readonly externalReference: string;
  /** False: a tombstone told that it is gone. */
  readonly exists: boolean;
}

export interface OrderIdStore {
  save(tx: Tx, orders: readonly OrderId[]): Promise<void>;
  find(tenant: string, orderNumber: number): Promise<string | null>;
}

export interface OrderId {
  readonly tenant: string;
  readonly orderNumber: string;
  readonly orderId: string;
}

export interface AppliedImageStore {
  load(tenant: string, externalReference: string): Promise<AppliedImages>;
  save(tx: Tx, tenant: string, externalReference: string, applied: AppliedImages): Promise<void>;
}

/** Which content Gondola attached to an order as its invoice file. */
export interface InvoiceFileStore {
  /** SHA-256 of the content attached last; null where that is not known. */
  attachedSha256(tenant: string, orderId: string): Promise<string | null>;
  /** Null: what is attached is not known any more. */
  save(tx: Tx, tenant: string, orderId: string, sha256: string | null): Promise<void>;
}

/** Rows of the app's own tables, counted anew each time: for an operator's look. */
export interface TableCounts {
  readonly uploads: readonly UploadCount[];
  readonly skus: number;
  readonly orders: number;
}

export interface CountStore {
  counts(): Promise<TableCounts>;
}

interface UploadCount {
  readonly tenant: string;
  readonly state: string;
  readonly uploads: number;
  readonly bytes: number;
  /** Held by open commands. */
  readonly held: number;
}
