import { Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';

import { HEADER } from '../codec/record-codec.ts';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import type { ParkedGroup, ParkedRecord, ReleasedRecord, ReleasedRecords } from './parked.dto.ts';
import { type ParkedFilter, ParkedRows, ParkedSource } from './parked-source.ts';

/**
 * Last value of a header in `headersToText`'s form. No JSON of PostgreSQL: a value of somebody else's record may hold
 * what `json` refuses. A name inside of a value has its quotes escaped.
 */
function headerOf(name: string): string {
  return `substring(headers from '.*\\["${name}","([^"\\\\]*)"\\]')`;
}

/** A redriven record has the headers of its producer, which may be personal. */
const OWN = `strpos(headers, '"${HEADER.redriveGroup}"') = 0`;

const ROWS = {
  table: 'outbox',
  id: 'seq',
  tenant: headerOf(HEADER.tenant),
  reason: 'parked_reason',
  storedAt: 'created_at',
  bytes: 'bytes',
  subject: `CASE WHEN ${OWN} THEN ${headerOf(HEADER.subject)} END`,
  type: `CASE WHEN ${OWN} THEN ${headerOf(HEADER.type)} END`,
  where: 'parked_at IS NOT NULL',
};

/** Parked records of the outbox. Tested in parked.int.spec.ts. */
@Injectable()
export class ParkedOutbox extends ParkedSource {
  readonly #rows: ParkedRows;

  constructor(
    database: Database,
    private readonly relay: OutboxRelay,
  ) {
    super();
    this.#rows = new ParkedRows(database, ROWS);
  }

  async list(...of: Parameters<ParkedSource['list']>): Promise<ParkedRecord[]> {
    return this.#rows.list(...of);
  }

  async find(id: string): Promise<ParkedRecord | null> {
    return this.#rows.find(id);
  }

  async groups(tenant: string | null): Promise<ParkedGroup[]> {
    return this.#rows.groups(tenant);
  }

  async release(id: string): Promise<ReleasedRecord | null> {
    const released = await this.#rows.release(id);
    this.relay.wake();
    return released;
  }

  async releaseAll(filter: ParkedFilter): Promise<ReleasedRecords> {
    const released = await this.#rows.releaseAll(filter);
    this.relay.wake();
    return released;
  }
}
