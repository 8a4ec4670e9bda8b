import { waitFor } from '@gondola/local-stack/wait-for';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { CATALOG, type IngestBench, ORDERS, USERS } from '../support/ingest-bench.ts';
import { disturb, type StoppedServers } from './disturb.ts';
import { readTold } from './read-published.ts';
import type { Replicas } from './replicas.ts';
import { runSender } from './sender.ts';
import { SentLog } from './sent-log.ts';
import { type Disturbance, isDatabaseDisturbed } from './planned-disturbances.ts';
import { repeatsIn, type Violation, violationsOf } from './published-as-sent.ts';

export interface RoundOptions {
  readonly seed: string;
  readonly bench: IngestBench;
  readonly replicas: Replicas;
  /** Needed if a disturbance stops one of them. */
  readonly servers?: StoppedServers;
  readonly disturbances: readonly Disturbance[];
  readonly senders: number;
}

export interface RoundReport {
  readonly log: SentLog;
  readonly records: number;
  readonly repeats: number;
  readonly violations: readonly Violation[];
}

const SETTLE_LIMIT_MS = 180_000;
const UNSENT = 'SELECT count(*)::int AS count FROM notifications WHERE topic IS NOT NULL AND sent_at IS NULL';

/**
 * Senders deliver during one disturbance after the other; then, with all servers back, the records of the topics
 * are compared with the answers. The report holds the violations; the round throws only if it cannot be judged.
 */
export async function loadRound(options: RoundOptions): Promise<RoundReport> {
  const { seed, bench, replicas, servers, disturbances, senders } = options;
  const log = new SentLog((topic) => fullTopicName(bench.prefix, topic));
  let isOver = false;
  const isOrderKept = !isDatabaseDisturbed(disturbances);
  const sending = Array.from({ length: senders }, (_, sender) =>
    runSender({ seed, sender, replicas, log, isAtHome: sender % 2 === 1, isOrderKept, isOver: () => isOver }),
  );
  try {
    for (const disturbance of disturbances) await disturb(disturbance, { log, replicas, servers });
  } finally {
    isOver = true;
    await Promise.all(sending);
  }
  return await judged(options, log);
}

async function judged({ bench, replicas }: RoundOptions, log: SentLog): Promise<RoundReport> {
  const topics = [ORDERS, CATALOG, USERS].map((topic) => fullTopicName(bench.prefix, topic));
  const sent = log.notifications();
  const look = async (): Promise<RoundReport> => {
    const told = await readTold(bench.env['KAFKA_BROKERS'] ?? '', topics);
    return { log, records: told.length, repeats: repeatsIn(told), violations: violationsOf(sent, told) };
  };
  const settled = async (): Promise<RoundReport | false> => {
    const [unsent] = await bench.rows<{ count: number }>(UNSENT);
    const spooled = await replicas.spooledFiles();
    if (unsent?.count !== 0 || spooled > 0) {
      throw new Error(`${unsent?.count} notifications wait to be sent, ${spooled} files to be imported`);
    }
    const report = await look();
    return !report.violations.some(({ kind }) => kind === 'lost') && report;
  };
  // A missing record may still be published; one that stays missing is lost.
  return await waitFor(settled, { describe: 'all that was answered 200', timeoutMs: SETTLE_LIMIT_MS }).catch(look);
}
