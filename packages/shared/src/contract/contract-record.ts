import type { TopicName } from '../topics/topics.ts';
import type { Dto, JsonSchema } from './json-schema.ts';
import { recordSchema, type SchemaOptions } from './record-schema.ts';

/** One record of the contract. */
export interface ContractRecord {
  /** Of its schema: `<name>.v1`. */
  readonly name: string;
  /** The topics that carry it. */
  readonly topics: readonly TopicName[];
  readonly writer: 'erp' | 'gondola' | 'platform';
  /** A sentence on what it means. */
  readonly about: string;
  /** The classes that its fields stand in. */
  readonly dtos: readonly Dto[];
  /** Fields that say less here than in their class. */
  readonly overrides?: Readonly<Record<string, JsonSchema>>;
  /** Something that comes for the first time needs more fields, which a schema of its own names. */
  readonly hasCreateSchema?: true;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The name of a record's schema, without the ending of its file. The version is that of its topics. */
export function schemaName({ name }: ContractRecord, mode: SchemaOptions['mode'] = 'update'): string {
  return mode === 'create' ? `${name}.create.v1` : `${name}.v1`;
}

/** The JSON Schema of a record's value. */
export function contractSchema(record: ContractRecord, options: SchemaOptions = {}): JsonSchema {
  const { about, dtos, overrides = {} } = record;
  const schema = recordSchema(dtos, options);
  const first = options.mode === 'create' ? ' With the fields that are required when it comes for the first time.' : '';
  return {
    $schema: DRAFT,
    title: schemaName(record, options.mode),
    description: about + first,
    ...schema,
    properties: { ...(schema['properties'] as JsonSchema), ...overrides },
  };
}
