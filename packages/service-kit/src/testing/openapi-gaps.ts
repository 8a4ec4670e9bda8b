import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = { [field: string]: unknown } & {
  readonly operationId?: string;
  readonly summary?: string;
  readonly responses?: Record<string, { readonly description?: string; readonly content?: Record<string, Content> }>;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
};
interface Content {
  readonly schema?: object;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/**
 * Gaps in the OpenAPI document of a running app: missing ids, summaries, answers and their content, path parameters,
 * and schemas or security schemes that are used but not described. The document includes all Nest controllers, so a
 * controller without descriptions is found here.
 */
export function openApiGaps(document: OpenAPIObject): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      item[method] === undefined ? [] : gapsOf(path, method, item[method] as unknown as Operation),
    ),
  );
  const text = JSON.stringify(document);
  const { schemas = {}, securitySchemes = {} } = document.components ?? {};
  const missing = [
    ...named(text, /"#\/components\/schemas\/(\w+)"/g, schemas),
    ...named(text, /"security":\[\{"(\w+)"/g, securitySchemes),
  ];
  return [...operations, ...missing.map((name) => `${name} is named and not described`)];
}

function gapsOf(path: string, method: string, operation: Operation): string[] {
  const { operationId, summary, responses = {}, parameters = [] } = operation;
  const gaps: string[] = [];
  if (!operationId) gaps.push('has no operationId');
  if (!summary) gaps.push('has no summary');
  if (!Object.keys(responses).some((status) => /^[23]/.test(status))) gaps.push('has no answer that is a success');
  for (const [status, { description, content }] of Object.entries(responses)) {
    if (!description) gaps.push(`does not say what ${status} means`);
    const contents = Object.values(content ?? {});
    if (method === 'get' && !status.startsWith('3') && contents.length === 0)
      gaps.push(`answers ${status} without a content`);
    if (contents.some(({ schema }) => schema === undefined)) gaps.push(`has no schema of its answer ${status}`);
  }
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    if (!inPath.includes(name!)) gaps.push(`does not describe {${name}}`);
  }
  return gaps.map((gap) => `${method.toUpperCase()} ${path} ${gap}`);
}

function named(text: string, reference: RegExp, described: object): string[] {
  return [...new Set([...text.matchAll(reference)].map(([, name]) => name!))].filter((name) => !(name in described));
}
