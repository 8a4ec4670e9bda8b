import type { PassedRoute } from './passed-route.ts';

export interface MatchedRoute {
  readonly route: PassedRoute;
  /** Parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The route of a call, and its parameters; null if the console does not pass it. `path` is percent-encoded. */
export function matchRoute(
  routes: readonly PassedRoute[],
  { app, method, path }: { readonly app: string; readonly method: string; readonly path: string },
): MatchedRoute | null {
  const segments = path.split('/');
  // A literal segment goes before a parameter: /quarantine/reprocess before /quarantine/{id}.
  const candidates = routes
    .filter((route) => route.app === app && route.method === method)
    .toSorted((one, other) => parametersIn(one) - parametersIn(other));
  for (const route of candidates) {
    const parameters = parametersOf(route.path.split('/'), segments);
    if (parameters !== null) return { route, parameters };
  }
  return null;
}

/** The path of a template with these parameters, percent-encoded anew. */
export function filledPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

function parametersIn({ path }: PassedRoute): number {
  return path.split('{').length;
}

function parametersOf(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (segment !== part) return null;
      continue;
    }
    const value = decoded(segment);
    // The parser of URLs at the other end would resolve dots.
    if (value === null || value === '' || value === '.' || value === '..') return null;
    parameters[name] = value;
  }
  return parameters;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
