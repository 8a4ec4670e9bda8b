import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** An answer of an app, at one of its routes. */
export interface GivenAnswer {
  readonly method: string;
  /** As Fastify writes it, such as `/api/orders/:number`. */
  readonly route: string;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Null: nothing or a stream, of which only status and content type are checked. */
  readonly body: string | null;
}

/** Sentences about an answer that the document does not allow, with route and status. */
export type AnswerCheck = (answer: GivenAnswer) => string[];

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

type PathItem = Readonly<Record<string, Operation | undefined>>;

interface Document {
  readonly paths: Readonly<Record<string, object>>;
  readonly components?: object | undefined;
}

/** Checks answers against an OpenAPI document, whose formats are asserted. */
export function answerCheck(document: Document): AnswerCheck {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajvFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();

  function schemaErrors(pointer: readonly string[], body: unknown): string[] {
    const $ref = `document#/${pointer.map(pointerStep).join('/')}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate(body) ? [] : (validate.errors ?? []).map(sentence);
  }

  function problems({ method, route, status, contentType, body }: GivenAnswer): string[] {
    const path = route.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
    const operation = method.toLowerCase();
    const item = document.paths[path] as PathItem | undefined;
    if (item === undefined) return ['the document has no such route'];
    if (item[operation] === undefined) return [404, 405].includes(status) ? [] : ['the document has no such method'];
    const { responses } = item[operation];
    const key = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((each) => each in responses);
    if (key === undefined) return [`the document has no such status, only ${Object.keys(responses).join(', ')}`];
    const { content } = responses[key]!;
    const [mediaType = ''] = (contentType ?? '').split(';');
    if (content === undefined) return body === null || body === '' ? [] : ['it has a body, and the document none'];
    const type = [mediaType, '*/*'].find((each) => each in content);
    if (type === undefined) return [`it is ${mediaType}, and the document has ${Object.keys(content).join(', ')}`];
    if (body === null || mediaType !== 'application/json') return [];
    const pointer = ['paths', path, operation, 'responses', key, 'content', type, 'schema'];
    const read = jsonOf(body);
    return read === null ? ['its body is no JSON'] : schemaErrors(pointer, read.value);
  }

  return (answer) => problems(answer).map((reason) => `${answer.method} ${answer.route} ${answer.status}: ${reason}`);
}

function jsonOf(body: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return null;
  }
}

function pointerStep(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function sentence({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}
