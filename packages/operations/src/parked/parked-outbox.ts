import { Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';

import { HEADER } from '@gondola/kafka/records/record-codec';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { ParkedSource } from './parked-source.ts';

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
  constructor(database: Database, relay: OutboxRelay) {
    super(database, ROWS, relay);
  }
}
