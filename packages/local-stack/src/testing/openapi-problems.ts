import redocly from '@redocly/openapi-core';

const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-parameters-unique': 'error',
  'path-parameters-defined': 'error',
  'no-identical-paths': 'error',
  'no-enum-type-mismatch': 'error',
  'no-schema-type-mismatch': 'error',
  'no-required-schema-properties-undefined': 'error',
  'no-invalid-media-type-examples': 'error',
  'security-defined': 'error',
} as const;

/**
 * Sentences about a document that is no valid OpenAPI, or lacks what generators of clients need: an id of each
 * operation, and values of one type, apart from null, where it lists words.
 */
export async function openApiProblems(document: object): Promise<string[]> {
  const config = await redocly.createConfig({ rules: RULES });
  const problems = await redocly.lintDocument({
    document: redocly.makeDocumentFromString(JSON.stringify(document), 'openapi.json'),
    config: config.styleguide,
    externalRefResolver: new redocly.BaseResolver(),
  });
  const found = problems.map(({ ruleId, message, location: [at] }) => `${at?.pointer}: ${message} (${ruleId})`);
  return [...found, ...mixedValues(document)];
}

function mixedValues(document: object): string[] {
  const found: string[] = [];
  JSON.stringify(document, (_name, value: unknown) => {
    const { enum: words, type } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [];
    const ofWords = Array.isArray(words)
      ? new Set(words.filter((word) => word !== null).map((word) => typeof word))
      : null;
    if (types.length > 1 || (ofWords?.size ?? 0) > 1)
      found.push(`${JSON.stringify(value)} has values of several types`);
    return value;
  });
  return found;
}
