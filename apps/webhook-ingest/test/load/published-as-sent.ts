/** A notification that was delivered once or more with these bytes. */
export interface SentNotification {
  readonly operationId: string;
  /** SHA-256 of the body, in hex. */
  readonly hash: string;
  /** Full name of its topic; null: not published. */
  readonly topic: string | null;
  /** True if any of its deliveries was answered 200. */
  readonly isAnswered: boolean;
  /**
   * Each notification of a series was answered 200 before the next was delivered; null if the order is not checked.
   */
  readonly series: string | null;
  readonly place: number;
}

/** A record of a topic. */
export interface ToldRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  /** Its `ce_id` and `ce_operationid`. */
  readonly id: string;
  readonly operationId: string;
  /** SHA-256 of the value, in hex. */
  readonly hash: string;
}

export interface Violation {
  readonly kind: 'lost' | 'doubled' | 'altered' | 'misplaced' | 'reordered' | 'foreign';
  readonly what: string;
}

/**
 * Checks guarantees 1 and 2 over a whole history, with any order of deliveries and outages. A notification answered
 * 200 is on its topic under exactly one `ce_id`, with the bytes delivered, in the order of its series; one never
 * answered 200 may be there or not; there are no other records. A repeat under the same `ce_id` is allowed. `told`
 * holds all records of the topics. published-as-sent.unit.spec.ts proves that each kind of violation is found.
 */
export function violationsOf(sent: readonly SentNotification[], told: readonly ToldRecord[]): Violation[] {
  const sentByHash = new Map(sent.map((notification) => [notification.hash, notification]));
  const operations = new Set(sent.map(({ operationId }) => operationId));
  const toldByHash = Map.groupBy(told, ({ hash }) => hash);
  return [
    ...told.flatMap((record) => strangeness(record, sentByHash.get(record.hash), operations)),
    ...sent.flatMap((notification) => multiplicity(notification, toldByHash.get(notification.hash) ?? [])),
    ...[...Map.groupBy(told, ({ id }) => id).values()].flatMap(sameValue),
    ...[...Map.groupBy(sent, ({ series }) => series)].flatMap(([series, of]) =>
      series === null ? [] : disorder(series, of, toldByHash),
    ),
  ];
}

/** Number of records that repeat an earlier one under the same `ce_id`. */
export function repeatsIn(told: readonly ToldRecord[]): number {
  return told.length - new Set(told.map(({ id }) => id)).size;
}

function strangeness(
  record: ToldRecord,
  sent: SentNotification | undefined,
  operations: ReadonlySet<string>,
): Violation[] {
  const where = placeOf(record);
  if (sent === undefined) {
    const kind = operations.has(record.operationId) ? 'altered' : 'foreign';
    return [{ kind, what: `${where} has a value that nobody sent, operation ${record.operationId}` }];
  }
  if (record.key !== record.id) return [{ kind: 'altered', what: `${where} has another key than ce_id` }];
  if (record.topic === sent.topic) return [];
  return [{ kind: 'misplaced', what: `${where} belongs on ${sent.topic ?? 'no topic'}` }];
}

function multiplicity({ isAnswered, topic, operationId }: SentNotification, told: readonly ToldRecord[]): Violation[] {
  const ids = [...new Set(told.map(({ id }) => id))];
  if (ids.length > 1) return [{ kind: 'doubled', what: `one notification is told as ${ids.join(' and ')}` }];
  if (ids.length === 1 || !isAnswered || topic === null) return [];
  return [{ kind: 'lost', what: `answered 200 and not on ${topic}, operation ${operationId}` }];
}

function sameValue(told: readonly ToldRecord[]): Violation[] {
  if (new Set(told.map(({ hash }) => hash)).size <= 1) return [];
  return [{ kind: 'altered', what: `ce_id ${told[0]?.id} stands on records with different values` }];
}

/**
 * Checks the first record of each answered notification, by place: all are on one partition, with rising offsets.
 * Reports at most one violation per series.
 */
function disorder(
  series: string,
  sent: readonly SentNotification[],
  toldByHash: ReadonlyMap<string, readonly ToldRecord[]>,
): Violation[] {
  const firsts = sent
    .filter(({ isAnswered }) => isAnswered)
    .toSorted((one, other) => one.place - other.place)
    .flatMap(({ hash, place }) => {
      const records = toldByHash.get(hash)?.toSorted((one, other) => one.offset - other.offset) ?? [];
      return records.slice(0, 1).map((record) => ({ record, place }));
    });
  for (const [index, { record, place }] of firsts.entries()) {
    const before = firsts[index - 1];
    if (before === undefined) continue;
    if (before.record.partition !== record.partition) {
      return [{ kind: 'reordered', what: `${series} is on two partitions: ${placeOf(record)}` }];
    }
    if (before.record.offset > record.offset) {
      return [{ kind: 'reordered', what: `${series}: ${place} was told before ${before.place}, ${placeOf(record)}` }];
    }
  }
  return [];
}

function placeOf({ topic, partition, offset }: ToldRecord): string {
  return `${topic}/${partition}/${offset}`;
}
