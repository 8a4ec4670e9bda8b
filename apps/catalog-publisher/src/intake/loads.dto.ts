import { Must, QueryParameter } from '@gondola/service-kit/http/request-fields';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import type { EndedOfLoad } from '@gondola/lanes/commands/load-counts';
import { OPEN, Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { CATALOG_TOPICS, type CatalogKind, isCatalogKind } from '../records/catalog-kinds.ts';
import { MAX_LOAD_ID } from '../records/read-record.ts';
import { LOAD_STATES, type LoadState, type ShownLoad } from './load-progress.ts';
import type { UnreadableRecord } from './take-file.service.ts';

const KINDS = Object.keys(CATALOG_TOPICS);
const MAX_FILE_RECORDS = 1_000_000;
const MAX_PART_RECORDS = 500;
const COUNT = { type: 'integer' } as const;
const TIME = { type: String, format: 'date-time', nullable: true } as const;

/** Filter of the list of loads. */
export class LoadsQuery extends PageQuery {
  @QueryParameter('Only its loads')
  readonly tenant?: string;
}

/** A file to load. */
export class LoadRequest {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_LOAD_ID,
    description: 'A name of this one load; without it Gondola names it',
  })
  @Must((id) => id === undefined || isLoadId(id), `loadId is a text of 1 to ${MAX_LOAD_ID} characters`)
  readonly loadId?: string;

  @ApiPropertyOptional({ enum: KINDS, default: 'product' })
  @Must((kind) => typeof kind === 'string' && isCatalogKind(kind), `kind is one of: ${KINDS.join(', ')}`)
  readonly kind: CatalogKind = 'product';

  @ApiProperty({ ...COUNT, minimum: 1, maximum: MAX_FILE_RECORDS })
  @Must((count) => isWhole(count, 1, MAX_FILE_RECORDS), `records is a number from 1 to ${MAX_FILE_RECORDS}`)
  readonly records!: number;

  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file' })
  @Must((text) => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text), 'digest is a SHA-256 in hexadecimal digits')
  readonly digest!: string;
}

/** The next records of a file. */
export class LoadPart {
  @ApiProperty({
    ...COUNT,
    minimum: 0,
    maximum: MAX_FILE_RECORDS,
    description: 'How many records stand before them: `taken` of the load',
  })
  @Must((count) => isWhole(count, 0, MAX_FILE_RECORDS), 'from is the number of records that were taken')
  readonly from!: number;

  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_PART_RECORDS,
    description: 'JSON texts, so that their digits stay',
  })
  @Must(isTexts, `records is a list of 1 to ${MAX_PART_RECORDS} JSON texts`)
  readonly records!: readonly string[];
}

class Unreadable implements UnreadableRecord {
  @Open({ ...COUNT, description: 'Its place in the part, from 0' })
  readonly index!: number;

  @Open({ type: String })
  readonly code!: UnreadableRecord['code'];
}

export class TakenRecords {
  @Open({ ...COUNT, description: 'Records of the file that were taken, from its beginning' })
  readonly taken!: number;

  @Open({ type: [Unreadable], description: 'Records of this part that have no identity' })
  readonly unreadable!: readonly UnreadableRecord[];
}

/** Progress of a load. */
export class LoadAnswer implements ShownLoad {
  @Open({ description: 'For `before`' })
  readonly id!: string;

  @Open()
  readonly tenant!: string;

  @Open()
  readonly loadId!: string;

  @Open({ enum: ['topic', 'file', 'resend'], description: 'topic: records with its loadId came by topics' })
  readonly source!: ShownLoad['source'];

  @Open({ type: String, nullable: true, enum: [...KINDS, null] })
  readonly recordKind!: ShownLoad['recordKind'];

  @Open({ ...COUNT, nullable: true, description: 'Records of the file, or entities that are sent again' })
  readonly expected!: number | null;

  @Open({ ...COUNT, description: 'Records of the file that were handed over' })
  readonly taken!: number;

  @Open({
    type: 'object',
    properties: Object.fromEntries(LOAD_STATES.map((state) => [state, { ...OPEN, ...COUNT }])),
    additionalProperties: false,
    description: 'Each record is in one of them. repeated: its id had come before with the same content',
  })
  readonly counts!: Readonly<Record<LoadState, number>>;

  @Open({ ...COUNT, description: 'The sum of counts' })
  readonly total!: number;

  @Open({ ...COUNT, description: 'Records without an end, those that were not handed over yet included' })
  readonly open!: number;

  @Open({ type: String, format: 'date-time' })
  readonly startedAt!: string;

  @Open(TIME)
  readonly finishedAt!: string | null;

  @Open({ ...COUNT, description: 'Records that end in a minute, by the last one' })
  readonly perMinute!: number;

  @Open(TIME)
  readonly estimatedEndAt!: string | null;
}

/** A record that was not applied. */
class NotApplied implements EndedOfLoad {
  @Open({ enum: KINDS })
  readonly kind!: string;

  @Open()
  readonly identity!: string;

  @Open()
  readonly commandId!: string;

  @Open({ enum: ['refused', 'invalid', 'unconfirmed'] })
  readonly outcome!: EndedOfLoad['outcome'];
}

/** A load with its records that were not applied. */
export class LoadWithTrouble extends LoadAnswer {
  @Open({ type: [NotApplied], description: 'The latest 50' })
  readonly notApplied!: readonly EndedOfLoad[];
}

function isLoadId(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= MAX_LOAD_ID && !value.includes('\0');
}

function isWhole(value: unknown, minimum: number, maximum: number): boolean {
  return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
}

function isTexts(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_PART_RECORDS &&
    value.every((each) => typeof each === 'string')
  );
}
