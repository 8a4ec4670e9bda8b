import { describe, expect, it } from '@jest/globals';
import { openTestKafka } from '@gondola/kafka/testing/test-kafka';
import { TOPIC_NAMES } from '@gondola/shared/topics/topics';
import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Erp as DemoErp, TOPIC } from '../../../demo/erp/erp.ts';
import { conformance, gondola, type Seen } from './conformance/conformance.ts';
import { Erp, type ErpFaults } from './conformance/erp.ts';

interface RunningErp {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Those that an ERP reads and writes. */
const TOPICS = TOPIC_NAMES.filter((topic) => /^erp\.|^catalog\./.test(topic));

describe('gondola conformance erp', () => {
  const env = { KAFKA_BROKERS: testStack().kafkaBrokers, TOPIC_PARTITIONS: '3' };

  /** Starts an ERP, waits until it is in its group, and checks it. */
  async function checked(erpOf: (prefix: string, group: string) => RunningErp, wait = '1m'): Promise<Seen> {
    const kafka = await openTestKafka('conformance', TOPICS);
    const { prefix } = kafka;
    const group = `${prefix}erp`;
    const erp = erpOf(prefix, group);
    try {
      await erp.start();
      const isReady = async () => (await kafka.admin.describeGroups([group])).groups[0]?.state === 'Stable';
      await waitFor(isReady, { describe: 'the ERP in its group' });
      return await conformance(['erp', '--prefix', prefix, '--group', group, '--wait', wait], env);
    } finally {
      await erp.stop();
      await kafka.close();
    }
  }

  const withFaults = (faults: ErpFaults) => (prefix: string, group: string) =>
    new Erp(env.KAFKA_BROKERS, prefix, group, faults);

  it('finds no fault in an ERP that keeps to the guide', async () => {
    let erp: Erp | undefined;
    const seen = await checked((prefix, group) => (erp = withFaults({})(prefix, group)));
    expect(seen).toMatchObject({ exit: 0, failed: [], skipped: [] });
    // A replayed record is the first one, byte for byte, under its own id.
    const replays = erp!.read.filter(({ isReplay }) => isReplay);
    const firsts = replays.map((replay) => erp!.read.find(({ id }) => id === replay.id)!);
    expect(replays).toHaveLength(2);
    expect(replays).toEqual(firsts.map((first) => ({ ...first, isReplay: true })));
    expect(firsts.some(({ isReplay }) => isReplay)).toBe(false);
  });

  it('finds no fault in the ERP of the demo, which reads no SKUs', async () => {
    const seen = await checked((prefix, group) => {
      const erp = new DemoErp(env.KAFKA_BROKERS.split(','), prefix, group);
      const start = async (): Promise<void> => {
        await erp.connect();
        const brand = {
          externalReference: 'MINAS',
          recordId: 'a',
          name: 'Minas',
          title: 'Minas',
          description: 'Minas',
        };
        await erp.send(TOPIC.brands, [{ key: 'MINAS', value: { ...brand, punctuation: 1 } }]);
        const orders = [1, 2, 3, 4, 5, 6].map((n) => 100_000 + n);
        const commands = orders.map((orderNumber) => {
          const value = { commandId: `${orderNumber}/Ship`, command: 'Ship', orderNumber };
          return { key: String(orderNumber), value };
        });
        await erp.send(TOPIC.orderCommands, commands);
      };
      return { start, stop: () => erp.disconnect() };
    });
    expect(seen).toMatchObject({ exit: 0, failed: [], skipped: ['consumer: reads SKUs, and the end of one'] });
  });

  it('finds each planted fault of a producer, and nothing else', async () => {
    const seen = await checked(withFaults({ repeats: true, hasCommas: true, hasOwnKeys: true, partition: 1 }));
    expect([seen.exit, seen.failed]).toEqual([
      1,
      [
        'producer: each record keeps to the contract',
        'producer: the key is that of the entity',
        'producer: the partition is that of murmur2',
        'producer: a repeat causes no other command',
      ],
    ]);
    const { failed } = await checked(withFaults({ hasOneId: true }));
    expect(failed).toEqual(['producer: an id has one content']);
  });

  it('names the record at which a consumer stops', async () => {
    const seen = await checked(withFaults({ stopsAtUnknownType: true }), '30s');
    expect([seen.exit, seen.failed]).toEqual([1, ['consumer: gets over new words']]);
    expect(seen.skipped).toContain('consumer: reads decimal text');
    expect(seen.skipped).not.toContain('consumer: reads results');
  });

  it('refuses what it cannot use in one sentence', async () => {
    const args = ['erp', '--confirm', '--prefix', 'test.', '--group', 'nobody'];
    const kafka = await openTestKafka('conformance', []);
    const { prefix, admin } = kafka;
    const nobody = await gondola(['erp', '--confirm', '--prefix', prefix, '--group', 'nobody'], env);
    const created = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    await kafka.close();
    // The topics are there, so that the ERP can be started.
    expect(created).toContain(`${prefix}erp.orders.events.v1`);
    expect(nobody).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/^No member of the group nobody reads .*\n$/),
    });
    expect(await gondola(args)).toMatchObject({ exit: 2, stderr: expect.stringContaining('KAFKA_BROKERS') });
    expect(await gondola(['erp', '--confirm', '--prefix', '', '--group', 'erp'], env)).toMatchObject({ exit: 2 });
  });
});
