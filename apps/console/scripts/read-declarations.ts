import type { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import type { AnswerShape } from '../src/passing/mask-answer.ts';

/** A schema of an OpenAPI document, as far as it matters here. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-personal'?: boolean;
}

type Document = Pick<Awaited<ReturnType<OpenApiDocument['content']>>, 'paths' | 'components'>;

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}

export interface Declarations {
  /** Shape of the answers of each route below `/api`, as `METHOD path`; of errors as `errors`. */
  readonly shapes: ReadonlyMap<string, AnswerShape>;
  /** Fields that are declared neither open nor personal, or open although their form is unknown. */
  readonly undeclared: readonly string[];
}

/** Routes that describe the API itself. */
const DESCRIPTIONS = new Set(['GET /api/openapi.json']);

/** Shape of every answer of an operations API, from the declarations of its fields in its OpenAPI document. */
export function readDeclarations({ paths, components }: Document): Declarations {
  const schemas = (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const shapes = new Map<string, AnswerShape>();
  const undeclared = new Set<string>();

  function shapeOf(schema: Schema, name: string): AnswerShape {
    if (schema['x-personal'] === true) return false;
    if (schema.$ref !== undefined) {
      const named = schema.$ref.split('/').at(-1) ?? '';
      return shapeOf(schemas[named] ?? {}, named);
    }
    const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((each) => each ?? []);
    const alternatives = parts.filter(({ type }) => type !== 'null');
    if (alternatives.length > 0) return alternatives.map((each) => shapeOf(each, name)).reduce(inBoth);
    if (schema.items !== undefined) return [shapeOf(schema.items, name)];
    const { properties, additionalProperties } = schema;
    const rest = typeof additionalProperties === 'object' ? shapeOf(additionalProperties, `${name}.*`) : undefined;
    if (properties !== undefined || rest !== undefined) {
      const fields = Object.entries(properties ?? {}).map(([field, of]) => [field, fieldOf(of, `${name}.${field}`)]);
      return {
        ...(Object.fromEntries(fields) as Record<string, AnswerShape>),
        ...(rest !== undefined && { '*': rest }),
      };
    }
    const types = [schema.type ?? 'object'].flat();
    if (types.includes('object') || types.includes('array')) undeclared.add(`${name}: JSON of unknown form`);
    return true;
  }

  function fieldOf(schema: Schema, name: string): AnswerShape {
    if (typeof schema['x-personal'] !== 'boolean') undeclared.add(name);
    return shapeOf(schema, name);
  }

  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations as Readonly<Record<string, Operation>>)) {
      const route = `${method.toUpperCase()} ${path}`;
      if (!path.startsWith('/api/') || DESCRIPTIONS.has(route)) continue;
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        const answers = Object.values(content).map(({ schema = {} }) => shapeOf(schema, route));
        const key = Number(status) < 400 ? route : 'errors';
        for (const answer of answers) shapes.set(key, shapes.has(key) ? inBoth(shapes.get(key)!, answer) : answer);
      }
    }
  }
  return { shapes, undeclared: [...undeclared].toSorted() };
}

/** Shape of a value that may have either one: what one of them declares personal is personal. */
function inBoth(one: AnswerShape, other: AnswerShape): AnswerShape {
  if (one === true) return other;
  if (other === true) return one;
  if (one === false || other === false) return false;
  if (isList(one) && isList(other)) return [inBoth(one[0], other[0])];
  if (isList(one) || isList(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...names].map((name) => [name, inBoth(one[name] ?? other[name] ?? false, other[name] ?? one[name] ?? false)]),
  );
}

function isList(shape: AnswerShape): shape is readonly [AnswerShape] {
  return Array.isArray(shape);
}
