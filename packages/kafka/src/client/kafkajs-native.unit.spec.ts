import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { checksum } from '../wire/checksum.ts';
import { keyPartitioner } from './kafkajs-native.ts';

const ownChecksum = createRequire(import.meta.url)(
  'kafkajs/src/protocol/recordBatch/crc32C/crc32C.js',
) as typeof checksum;

describe('the native CRC32C', () => {
  it('computes the check value of the algorithm', () => {
    expect(checksum(Buffer.from('123456789'))).toBe(0xe306_9283);
  });

  it('agrees with kafkajs for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (array) => {
        const bytes = Buffer.from(array);
        expect(checksum(bytes)).toBe(ownChecksum(bytes));
      }),
    );
  });
});

describe('the partitioner', () => {
  it("chooses the partitions of Kafka's own clients", () => {
    const choose = keyPartitioner();
    const partitionMetadata = Array.from({ length: 12 }, (_, partitionId) => ({ partitionId, leader: 1 }));
    const chosen = ['21', 'foobar', 'a-little-bit-long-string'].map((key) =>
      choose({ topic: 't', partitionMetadata: partitionMetadata as never, message: { key, value: null } }),
    );
    expect(chosen).toEqual([-973_932_308, -790_332_482, -985_981_536].map((hash) => (hash & 0x7fff_ffff) % 12));
  });
});

/** Runs in a separate process, as in an app, because Jest has its own module registry. */
function inAnApp(program: string): unknown {
  const module = fileURLToPath(new URL('./kafkajs-native.ts', import.meta.url));
  const start = `
    import { createRequire } from 'node:module';
    const native = await import(${JSON.stringify(module)});
    const require = createRequire(${JSON.stringify(module)});`;
  const args = ['--conditions=gondola-source', '--input-type=module', '--eval', start + program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

/** Each of these tests fails when a new version of kafkajs no longer uses our replacement. */
describe('kafkajs in an app', () => {
  it('uses the native CRC32C and loads no other', () => {
    const found = inAnApp(`
      require('kafkajs/src/protocol/recordBatch/v0');
      const used = require('kafkajs/src/protocol/recordBatch/crc32C');
      const loaded = Object.keys(require.cache).filter((file) => /kafkajs.*crc/i.test(file));
      console.log(JSON.stringify({
        value: used(Buffer.from('123456789')),
        name: used.name,
        loaded: loaded.map((file) => file.replace(/.*kafkajs/, '')),
        isOneKafkajs: require('kafkajs').Kafka === native.Kafka,
      }));`);
    expect(found).toEqual({
      value: 0xe306_9283,
      name: 'checksum',
      loaded: ['/src/protocol/recordBatch/crc32C/index.js'],
      isOneKafkajs: true,
    });
  });

  it('connects to each first broker of a list in turn, an address of IPv6 among them', () => {
    const found = inAnApp(`
      const builder = require('kafkajs/src/cluster/connectionPoolBuilder');
      const logger = { namespace: () => ({}) };
      const { build } = builder({ brokers: ['[::1]:9092', '[2001:db8::7]:9093', 'kafka:9094'], logger });
      const pools = [await build(), await build(), await build(), await build(), await build({ host: 'b', port: 1 })];
      console.log(JSON.stringify(pools.map(({ host, port }) => [host, port])));`);
    expect(found).toEqual([
      ['::1', 9_092],
      ['2001:db8::7', 9_093],
      ['kafka', 9_094],
      ['::1', 9_092],
      ['b', 1],
    ]);
  });

  it('uses Gondola’s decoder for every version of a fetch that it can request', () => {
    // Bytes that are no batch lead to kafkajs' own error, an unreadable batch to one unreadable record of ours.
    const decoded = inAnApp(`
      const fetch = require('kafkajs/src/protocol/requests/fetch');
      const record = Buffer.alloc(60);
      record.writeInt32BE(48, 8);
      record[16] = 2;
      const zero = (bytes) => Buffer.alloc(bytes);
      const one = Buffer.from([0, 0, 0, 1]);
      const length = Buffer.from([0, 0, 0, record.length]);
      const found = [];
      for (const version of fetch.versions.map(Number).filter((each) => each >= 4)) {
        const parts = [zero(4), zero(version >= 7 ? 6 : 0), one, Buffer.from([0, 1, 0x74]), one, zero(4 + 2 + 8 + 8),
          zero(version >= 5 ? 8 : 0), zero(4), zero(version >= 11 ? 4 : 0), length, record];
        const { response } = fetch.protocol({ version })({ topics: [] });
        const { responses } = await response.decode(Buffer.concat(parts));
        found.push([version, responses[0].partitions[0].messages[0].unreadable]);
      }
      console.log(JSON.stringify(found));`);
    expect(decoded).toEqual(
      [4, 5, 6, 7, 8, 9, 10, 11].map((version) => [version, 'offsets 0 a 0: o lote está incompleto']),
    );
  });

  it('uses Gondola’s encoder for every version of a produce request that has headers', () => {
    const found = inAnApp(`
      const produce = require('kafkajs/src/protocol/requests/produce');
      const messages = [{ key: null, value: Buffer.from('v'), headers: [['name', null]] }];
      const topicData = [{ topic: 't', partitions: [{ partition: 0, messages }] }];
      const Encoder = require('kafkajs/src/protocol/encoder');
      const frames = [];
      for (const version of produce.versions.map(Number).filter((each) => each >= 3)) {
        const { request } = produce.protocol({ version })({ acks: -1, timeout: 1, producerId: -1, topicData });
        const whole = new Encoder().writeInt32(1).writeEncoder(await request.encode()).buffer;
        frames.push([request.apiVersion, whole.length, whole.subarray(-7).toString('latin1')]);
      }
      console.log(JSON.stringify(frames));`);
    const nameAndNull = '\u0008name\u0001'.slice(-7);
    expect(found).toEqual([3, 4, 5, 6, 7].map((version) => [version, 106, `\u0002${nameAndNull}`]));
  });

  it('leaves the code of each partition to Gondola’s sender, and throws it for any other producer', () => {
    const found = inAnApp(`
      const produce = require('kafkajs/src/protocol/requests/produce');
      const answer = { topics: [{ topicName: 't', partitions: [{ partition: 0, errorCode: 29 }] }] };
      const answers = [];
      for (const version of produce.versions.map(Number).filter((each) => each >= 3)) {
        for (const headers of [[['name', null]], {}]) {
          const topicData = [{ topic: 't', partitions: [{ partition: 0, messages: [{ value: null, headers }] }] }];
          const { response } = produce.protocol({ version })({ acks: -1, timeout: 1, topicData });
          answers.push(await response.parse(answer).then(() => 'read', ({ type }) => type));
        }
      }
      console.log(JSON.stringify(answers));`);
    expect(found).toEqual(Array.from({ length: 5 }, () => ['read', 'TOPIC_AUTHORIZATION_FAILED']).flat());
  });

  it('writes the same request as kafkajs, with its own head', () => {
    const found = inAnApp(`
      const ours = require('kafkajs/src/protocol/request');
      const file = require.resolve('kafkajs/src/protocol/request');
      delete require.cache[file];
      const theirs = require('kafkajs/src/protocol/request');
      const Encoder = require('kafkajs/src/protocol/encoder');
      const encode = async () => new Encoder().writeString('body');
      const of = { correlationId: 7, clientId: 'ação', request: { apiKey: 1, apiVersion: 11, encode } };
      const [one, other] = [await ours(of), await theirs(of)];
      console.log(JSON.stringify([ours.name, one.buffer.equals(other.buffer), one.size()]));`);
    expect(found).toEqual(['encodeRequest', true, 26]);
  });

  it('keeps no timer of a connection while no request waits, and has one while any does', () => {
    const found = inAnApp(`
      const RequestQueue = require('kafkajs/src/network/requestQueue');
      const logger = { debug() {} };
      const queue = new RequestQueue({ maxInFlightRequests: 1, requestTimeout: 1000, clientId: 'c', broker: 'b', logger, isConnected: () => true });
      const timers = [];
      queue.checkPendingRequests();
      timers.push(queue.throttleCheckTimeoutId !== null);
      queue.maybeThrottle(60_000);
      queue.push({ entry: { correlationId: 1, apiName: 'Fetch', apiKey: 1, apiVersion: 11 }, expectResponse: true, sendRequest() {} });
      timers.push(queue.throttleCheckTimeoutId !== null);
      queue.destroy();
      console.log(JSON.stringify(timers));`);
    expect(found).toEqual([false, true]);
  });

  it('looks each second for requests that take too long, and ends them', () => {
    const found = inAnApp(`
      const RequestQueue = require('kafkajs/src/network/requestQueue');
      const logger = { debug() {} };
      const queueOf = (requestTimeout) =>
        new RequestQueue({ requestTimeout, enforceRequestTimeout: true, clientId: 'c', broker: 'b', logger, isConnected: () => true });
      const usual = queueOf(30_000);
      usual.scheduleRequestTimeoutCheck();
      const everyMs = usual.requestTimeoutIntervalId._repeat;
      usual.destroy();
      const short = queueOf(1);
      const error = await new Promise((resolve) => {
        const entry = { correlationId: 1, apiName: 'Fetch', apiKey: 1, apiVersion: 11, reject: resolve };
        short.push({ entry, expectResponse: true, sendRequest() {} });
        short.scheduleRequestTimeoutCheck();
      });
      short.destroy();
      console.log(JSON.stringify([everyMs, error.name]));`);
    expect(found).toEqual([1_000, 'KafkaJSRequestTimeoutError']);
  });

  it('uses Gondola’s codecs for messages of old formats', () => {
    const errors = inAnApp(`
      const { lookupCodecByAttributes } = require('kafkajs/src/protocol/message/compression');
      const codes = [1, 2, 3, 4].map((codec) => lookupCodecByAttributes(codec).decompress(Buffer.from('no')).catch(({ code }) => code));
      console.log(JSON.stringify(await Promise.all(codes)));`);
    expect(errors).toEqual(Array.from({ length: 4 }, () => 'BATCH_UNREADABLE'));
  });
});
