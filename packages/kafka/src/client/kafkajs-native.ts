import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

import type { ICustomPartitioner, Kafka as KafkaClient } from 'kafkajs';

import {
  FETCH_VERSIONS,
  type FetchResponse,
  type FetchVersion,
  type FieldReader,
  readFetchResponse,
} from '../wire/fetch-response.ts';
import { murmur2 } from '../wire/murmur2.ts';
import { encodeProduce, isOurs, type ProduceFields } from '../wire/produce-request.ts';
import { checksum } from '../wire/checksum.ts';
import { type OldMessage, readRecordSet, RECORD_SET_LIMITS, type RecordSetReader } from '../wire/record-set.ts';
import { CODEC, unpack } from '../wire/unpack.ts';

/**
 * kafkajs with replacements of ours (ADR 0008): values of kafkajs are imported from here only. kafkajs has no
 * settings for these, and its exact version is pinned; kafkajs-native.unit.spec.ts tests that each replacement
 * still takes effect.
 *
 * | replacement | instead of | why |
 * |---|---|---|
 * | encoding of a produce request | its own | copied each record four times; a third of what the relay cost |
 * | reading of the answer to it | its own | threw the first code, and hid which partitions had accepted theirs |
 * | growth of its buffers | its own | filled each with zeros before |
 * | the head of a request | its own | copied the request twice |
 * | CRC32C | its own in JavaScript | costs as much as all the rest of producing large values |
 * | decoding of a fetch | its own | one unreadable batch failed the fetch, for ever; headers took quadratic time, and
 * one named `constructor` ended the process; records of aborted transactions that interleave were delivered |
 * | codecs | gzip alone | for messages of the formats 0 and 1; batches are unpacked by ours directly |
 * | murmur2 | its own | 39 s for a key of 900 kB |
 * | retries and end of a reading (`abandonableCluster`) | its own | a reading that was given up went on |
 * | the first broker of a list | split at its first colon | an address of IPv6 has colons of its own |
 * | timers of a connection | one of 1 ms that never ends, one of 100 ms | half of the processor time of an idle app |
 */
const require = createRequire(import.meta.url);

const CRC32C_FILE = require.resolve('kafkajs/src/protocol/recordBatch/crc32C/index.js');
// Replaces the module in the cache before kafkajs is loaded. If it ran later, kafkajs would use its own CRC32C,
// which is slower with the same result.
if (require.cache[CRC32C_FILE] === undefined) {
  const own = { id: CRC32C_FILE, filename: CRC32C_FILE, loaded: true, exports: checksum };
  require.cache[CRC32C_FILE] = own as unknown as NodeJS.Module;
}

/** Head of a request, with its length: that of an API key, its version, a correlation id and the length of a text. */
const HEAD_BYTES = 14;
const LENGTH_BYTES = 4;
/** Room for a head in front of a body, so that the body is not copied behind it: client ids are short. */
const HEAD_ROOM = 256;
const REQUEST_FILE = require.resolve('kafkajs/src/protocol/request.js');
if (require.cache[REQUEST_FILE] === undefined) {
  const own = { id: REQUEST_FILE, filename: REQUEST_FILE, loaded: true, exports: encodeRequest };
  require.cache[REQUEST_FILE] = own as unknown as NodeJS.Module;
}

interface PoolBuilder {
  build(at?: { readonly host?: string; readonly port?: number; readonly rack?: string }): Promise<unknown>;
}
type PoolBuilderOf = (options: { readonly brokers: readonly string[] }) => PoolBuilder;
const POOL_BUILDER_FILE = require.resolve('kafkajs/src/cluster/connectionPoolBuilder.js');
const ownPoolBuilder = require(POOL_BUILDER_FILE) as PoolBuilderOf;
/** Chooses the brokers in turn, as kafkajs does. */
const poolBuilder: PoolBuilderOf = (options) => {
  const own = ownPoolBuilder(options);
  const addresses = options.brokers.map(brokerAddress);
  let next = 0;
  return {
    build: async (at) => own.build(at?.host === undefined ? addresses[next++ % addresses.length] : at),
  };
};
require.cache[POOL_BUILDER_FILE]!.exports = poolBuilder;

const kafkajs = require('kafkajs') as typeof import('kafkajs');

export const { CompressionCodecs, ConfigResourceTypes, Kafka, logLevel } = kafkajs;

const Decoder = require('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => FieldReader;
const readMessageSet = require('kafkajs/src/protocol/messageSet/decoder.js') as (
  reader: FieldReader,
  size: number,
) => Promise<OldMessage[]>;
const partitionerBy = require('kafkajs/src/producer/partitioners/legacy/partitioner.js') as (
  hash: (key: Buffer | string) => number,
) => ICustomPartitioner;

type Codec = () => {
  compress(encoder: { buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
};
const codecs = CompressionCodecs as unknown as Record<number, Codec>;
const ownGzip = codecs[CODEC.gzip]!();
for (const codec of [CODEC.gzip, CODEC.snappy, CODEC.lz4, CODEC.zstd]) {
  // Gondola does not compress, but the messages of formats 0 and 1 that it reads may be compressed.
  codecs[codec] = () => ({
    compress: (encoder) => (codec === CODEC.gzip ? ownGzip.compress(encoder) : cannotCompress()),
    decompress: (bytes) => unpack(codec, bytes, RECORD_SET_LIMITS.unpackedBytes),
  });
}

const RECORD_SETS: RecordSetReader = {
  limits: RECORD_SET_LIMITS,
  checksum,
  readMessages: (messageSet) => readMessageSet(new Decoder(messageSet), messageSet.length),
};

let fetches = 0;

/** Decodes fetch responses of `version` with our own decoder. */
async function decodeFetch(version: FetchVersion, bytes: Buffer): Promise<FetchResponse> {
  const budget = { bytes: RECORD_SET_LIMITS.unpackedBytes, records: RECORD_SET_LIMITS.records };
  fetches += 1;
  return readFetchResponse(version, new Decoder(bytes), fetches, (set, aborted) =>
    readRecordSet(set, RECORD_SETS, budget, aborted),
  );
}

for (const version of FETCH_VERSIONS) {
  // kafkajs looks up `decode` in the module at each response, so this also works if the module is already loaded.
  const response = require(`kafkajs/src/protocol/requests/fetch/v${version}/response.js`) as {
    decode: (bytes: Buffer) => Promise<FetchResponse>;
  };
  response.decode = (bytes) => decodeFetch(version, bytes);
}

/** First version of a produce request whose records have headers. */
const FIRST_WITH_HEADERS = 3;
const produce = require('kafkajs/src/protocol/requests/produce') as {
  protocol: (of: { version: string }) => (fields: ProduceFields) => {
    request: { encode(): Promise<object> };
    response: { parse(data: unknown): Promise<unknown> };
  };
};
const protocolOf = produce.protocol;
produce.protocol = ({ version }) => {
  const own = protocolOf({ version });
  return (fields) => {
    const made = own(fields);
    if (Number(version) < FIRST_WITH_HEADERS || !isOurs(fields)) return made;
    made.request.encode = async () => withRoom(encodeProduce(fields, Date.now(), HEAD_ROOM));
    // The sender reads the code of each partition.
    return { ...made, response: { ...made.response, parse: async (data) => data } };
  };
};

interface Encoder {
  buf: Buffer;
  offset: number;
  ensureAvailable(this: Encoder, length: number): void;
}
/** Bodies with room in front of them, and the memory of both. */
const roomy = new WeakMap<Encoder, Buffer>();
const OwnEncoder = require('kafkajs/src/protocol/encoder.js') as { new (bytes: number): Encoder; prototype: Encoder };
OwnEncoder.prototype.ensureAvailable = function grow(length) {
  const needed = this.offset + length;
  if (needed <= this.buf.length) return;
  const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.buf.length));
  this.buf.copy(grown, 0, 0, this.offset);
  this.buf = grown;
};

interface Request {
  readonly correlationId: number;
  readonly clientId: string;
  readonly request: { readonly apiKey: number; readonly apiVersion: number; encode(): Promise<Encoder> };
}

/** The whole of a request: its head, which is the same for all, and its body. */
async function encodeRequest({ correlationId, clientId, request }: Request): Promise<Encoder> {
  const body = await request.encode();
  const client = Buffer.from(clientId);
  const headBytes = HEAD_BYTES + client.length;
  const bytes = wholeOf(body, headBytes);
  let at = bytes.writeInt32BE(bytes.length - LENGTH_BYTES, 0);
  at = bytes.writeInt16BE(request.apiKey, at);
  at = bytes.writeInt16BE(request.apiVersion, at);
  at = bytes.writeInt32BE(correlationId, at);
  at = bytes.writeInt16BE(client.length, at);
  client.copy(bytes, at);
  return encoded(bytes);
}

/** Memory that ends with the body, with room for a head. */
function wholeOf(body: Encoder, headBytes: number): Buffer {
  const own = roomy.get(body);
  if (own !== undefined && headBytes <= HEAD_ROOM) return own.subarray(HEAD_ROOM - headBytes);
  const bytes = Buffer.allocUnsafe(headBytes + body.offset);
  body.buf.copy(bytes, headBytes, 0, body.offset);
  return bytes;
}

/** Body of a request with room in front of it. */
function withRoom(bytes: Buffer): Encoder {
  const body = encoded(bytes.subarray(HEAD_ROOM));
  roomy.set(body, bytes);
  return body;
}

/** Bytes in the form in which kafkajs takes the body of a request. */
function encoded(bytes: Buffer): Encoder {
  return Object.assign(new OwnEncoder(1), { buf: bytes, offset: bytes.length });
}

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, { sentAt: number; requestTimeout: number; timeoutRequest(): void }>;
  readonly enforceRequestTimeout: boolean;
  readonly requestTimeout: number;
  requestTimeoutIntervalId: NodeJS.Timeout | null;
  isConnected(): boolean;
  destroy(): void;
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
  scheduleRequestTimeoutCheck: (this: RequestQueue) => void;
}
/** Pause between two looks for requests of a connection that take longer than their 30 s and more. */
const TIMEOUT_CHECK_MS = 1_000;
const { prototype: queue } = require('kafkajs/src/network/requestQueue/index.js') as { prototype: RequestQueue };
const schedule = queue.scheduleCheckPendingRequests;
queue.scheduleCheckPendingRequests = function scheduleIfAnyWaits() {
  if (this.pending.length > 0) schedule.call(this);
};
queue.scheduleRequestTimeoutCheck = function checkEachSecond() {
  if (!this.enforceRequestTimeout) return;
  this.destroy();
  const check = (): void => {
    const now = Date.now();
    for (const request of this.inflight.values())
      if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
    if (!this.isConnected()) this.destroy();
  };
  this.requestTimeoutIntervalId = setInterval(check, Math.min(this.requestTimeout, TIMEOUT_CHECK_MS));
};

interface PartitionOffset {
  readonly partition: number;
  readonly offset: string;
}

/** Partitions of a topic, as kafkajs' requests name them. */
export interface TopicPartitions {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number }[];
}

/** Offsets of a topic, as kafkajs answers. */
export interface TopicOffsets {
  readonly topic: string;
  readonly partitions: readonly PartitionOffset[];
}

/**
 * kafkajs' connections to the brokers of a cluster, for what its clients have no call for: reading without a group, and
 * the offsets of several topics in one request.
 */
export interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  refreshMetadata(): Promise<void>;
  refreshMetadataIfNecessary(): Promise<void>;
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[];
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, readonly number[]>>;
  findBroker(of: { readonly nodeId: string }): Promise<{ fetch(request: object): Promise<FetchResponse> }>;
  findControllerBroker(): Promise<{
    heartbeat(of: {
      readonly groupId: string;
      readonly groupGenerationId: number;
      readonly memberId: string;
    }): Promise<unknown>;
  }>;
  findGroupCoordinator(of: { readonly groupId: string }): Promise<{
    offsetFetch(of: {
      readonly groupId: string;
      readonly topics: readonly TopicPartitions[];
    }): Promise<{ readonly responses: readonly TopicOffsets[] }>;
  }>;
  fetchTopicsOffset(
    topics: readonly (TopicPartitions & { readonly fromBeginning: boolean })[],
  ): Promise<readonly TopicOffsets[]>;
}

const CREATE_CLUSTER = 'private:Kafka:createCluster';

const UNCOMMITTED = 0;
const COMMITTED = 1;

/** A cluster of a client, not connected; it creates no topic. Its ends of partitions are behind every record. */
export function clusterOf(kafka: KafkaClient): Cluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find(({ description }) => description === CREATE_CLUSTER);
  const client = kafka as unknown as Record<symbol, (options: object) => Cluster>;
  return client[symbol!]!({ metadataMaxAge: 300_000, allowAutoTopicCreation: false, isolationLevel: UNCOMMITTED });
}

/** The same cluster for a reader of committed records: its ends are the first records of open transactions. */
export function committedView(cluster: Cluster): Cluster {
  return Object.create(cluster, { isolationLevel: { value: COMMITTED } }) as Cluster;
}

interface Connection {
  readonly socket?: Socket;
  readonly requestQueue: { readonly inflight: ReadonlyMap<number, unknown>; readonly pending: readonly unknown[] };
  isConnected(): boolean;
  disconnect(): Promise<unknown>;
  connect: () => Promise<unknown>;
}
interface BrokerOf {
  readonly connectionPool: { readonly pool: readonly Connection[] };
}
interface BrokerPool {
  readonly brokers: Readonly<Record<string, BrokerOf>>;
  readonly seedBroker?: BrokerOf;
  readonly connectionPoolBuilder: { build: () => Promise<never> };
  retrier: (attempt: (bail: (error: Error) => void, count: number, ms: number) => Promise<unknown>) => Promise<unknown>;
}

/**
 * A cluster that can be abandoned at any moment: it tries nothing again by itself, and `abandon` ends its connections
 * at once with all that they wait for, and lets it make none any more. kafkajs' own `disconnect` waits for the answers.
 */
export function abandonableCluster(kafka: KafkaClient): Cluster & { abandon(): void } {
  const cluster = clusterOf(kafka);
  const pool = (cluster as unknown as { readonly brokerPool: BrokerPool }).brokerPool;
  pool.retrier = async (attempt) => {
    const { promise: bailed, reject } = Promise.withResolvers<never>();
    return Promise.race([bailed, attempt(reject, 0, 0)]);
  };
  const abandon = (): void => {
    pool.connectionPoolBuilder.build = refuse;
    const brokers = [...Object.values(pool.brokers), ...(pool.seedBroker === undefined ? [] : [pool.seedBroker])];
    for (const connection of new Set(brokers.flatMap(({ connectionPool }) => connectionPool.pool))) {
      connection.connect = refuse;
      const { inflight, pending } = connection.requestQueue;
      if (inflight.size + pending.length === 0 && connection.isConnected()) void connection.disconnect();
      else connection.socket?.destroy(new Error('Abandoned'));
    }
  };
  return Object.assign(cluster, { abandon });
}

async function refuse(): Promise<never> {
  throw new Error('Abandoned');
}

async function cannotCompress(): Promise<Buffer> {
  throw new Error('Gondola reads this compression codec but does not write it');
}

/** Host and port of `host:port` or `[::1]:port`. */
export function brokerAddress(broker: string): { readonly host: string; readonly port: number } {
  const colon = broker.lastIndexOf(':');
  return { host: broker.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(broker.slice(colon + 1)) };
}

/** Kafka's own partitioner: murmur2 of the key modulo the number of partitions, round robin without a key. */
export const keyPartitioner: ICustomPartitioner = partitionerBy((key) => murmur2(Buffer.from(key)));
