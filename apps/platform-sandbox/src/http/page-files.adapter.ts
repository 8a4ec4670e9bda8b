import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageFiles } from './server.adapter.ts';

const OTHERS = /^\/(v\d+|admin|api|files|health|metrics|docs)(\/|$)/;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const CSP =
  "default-src 'self'; img-src 'self' data: http: https:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

const WITHOUT_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox</title>
<body style="font-family: system-ui; margin: 3rem auto; max-width: 40rem; padding: 0 1rem">
<h1>The sandbox of the shop platform</h1><p>It runs. Its page was not built.</p>
<p><a href="/docs">All routes, with examples</a></p></body></html>`;

/** The built page in a folder; its own paths lead to `index.html`. */
export function pageFiles(folder: string): PageFiles {
  const isFor = ({ method, url, headers }: FastifyRequest): boolean => {
    const path = url.split('?', 1)[0] ?? '';
    if ((method !== 'GET' && method !== 'HEAD') || OTHERS.test(path)) return false;
    return path === '/' || (headers.accept ?? '').includes('text/html') || isFile(fileAt(folder, path));
  };
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = request.url.split('?', 1)[0] ?? '';
    const asked = fileAt(folder, path);
    const isAsset = path !== '/' && isFile(asked);
    const file = isAsset ? asked : join(folder, 'index.html');
    const takesBrotli = (request.headers['accept-encoding'] ?? '').includes('br');
    const read = takesBrotli && existsSync(`${file}.br`) ? `${file}.br` : file;
    const content = existsSync(read) ? await readFile(read) : WITHOUT_PAGE;
    const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    if (read !== file) void reply.header('content-encoding', 'br');
    return reply
      .status(200)
      .headers({ 'content-security-policy': CSP, 'x-content-type-options': 'nosniff', 'cache-control': caching })
      .header('vary', 'accept-encoding')
      .type(TYPES[extname(file)] ?? 'application/octet-stream')
      .send(content);
  };
  return { isFor, serve };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** The file of a path; never one outside of the folder. */
function fileAt(folder: string, path: string): string {
  let name = path;
  try {
    name = decodeURIComponent(path);
  } catch {
    // The path as it is.
  }
  return join(folder, normalize(`/${name.replaceAll('\0', '')}`));
}
