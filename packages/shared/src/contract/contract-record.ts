import { type TopicName, topicSpec } from '../topics/topics.ts';
import type { Dto, JsonSchema } from '../schemas/json-schema.ts';
import { recordSchema, type SchemaOptions } from './record-schema.ts';

export interface ContractRecord {
  /** Name of its schema: `<name>.v1`. */
  readonly name: string;
  /** Topics of the record. */
  readonly topics: readonly TopicName[];
  readonly writer: 'erp' | 'gondola' | 'platform';
  /** Description of the record in one sentence. */
  readonly about: string;
  /** Classes with the record's fields. */
  readonly dtos: readonly Dto[];
  /** Schemas of fields that are narrower here than in their class. */
  readonly overrides?: Readonly<Record<string, JsonSchema>>;
  /** True if creation requires more fields, which a separate schema names. */
  readonly hasCreateSchema?: true;
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** Name of a record's schema, without the file extension. The version is that of its topics. */
export function schemaName({ name }: ContractRecord, mode: SchemaOptions['mode'] = 'update'): string {
  return mode === 'create' ? `${name}.create.v1` : `${name}.v1`;
}

/** The JSON Schema of a record's value. */
export function contractSchema(record: ContractRecord, options: SchemaOptions = {}): JsonSchema {
  const { about, dtos, topics, overrides = {} } = record;
  const isWritten = !topics.some((topic) => topicSpec(topic).writers.includes('erp'));
  const { description = '', ...schema } = recordSchema(dtos, { ...options, isWritten });
  const first = options.mode === 'create' ? ' With the fields that are required when it comes for the first time.' : '';
  return {
    $schema: DRAFT,
    title: schemaName(record, options.mode),
    description: `${about}${first} ${description as string}`.trim(),
    ...schema,
    properties: { ...(schema['properties'] as JsonSchema), ...overrides },
  };
}
