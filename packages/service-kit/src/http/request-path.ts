import type { FastifyRequest } from 'fastify';

/** Whether a request is for one of these paths or what is below, by the route that was found as well as by its URL. */
export function requestIsBelow(request: FastifyRequest, prefixes: readonly string[]): boolean {
  return isBelow(request.routeOptions.url, prefixes) || isBelow(pathOf(request.url), prefixes);
}

function isBelow(path: string | undefined, prefixes: readonly string[]): boolean {
  return path !== undefined && prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

function pathOf(url: string): string {
  const path = url.split(/[?#;]/, 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
