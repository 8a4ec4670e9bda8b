import type { Tx } from '@gondola/service-kit/database/database';

import type { ReplayRecord } from '@gondola/kafka/records/replay-record';

/** The published state behind the compacted topic of an app; one without such a topic knows none. */
export class NewestOfKeys {
  /**
   * Those of these records that are the newest which was published of their keys, be it sent, waiting or parked. Their
   * keys are locked: a later record enters the outbox after `tx`.
   */
  async locked(_tx: Tx, _records: readonly ReplayRecord[]): Promise<readonly ReplayRecord[]> {
    return [];
  }
}
