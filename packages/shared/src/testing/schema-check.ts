import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { JsonSchema } from '../schemas/json-schema.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictTypes: false });
ajvFormats.default(ajv);

/** Errors of a value, as `JSON.parse` returns it, by a JSON Schema, one sentence each; empty for a valid value. */
export type SchemaCheck = (value: unknown) => string[];

/** Throws if the schema is no JSON Schema of the draft 2020-12. */
export function schemaCheck(schema: JsonSchema): SchemaCheck {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(sentence));
}

function sentence({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}
