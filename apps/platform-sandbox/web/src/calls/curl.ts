import type { Tenant } from '../api/types.ts';

/** A call of the platform as the merchant's ERP makes it, to paste into a shell. */
export function curlOf(
  { contractAccountId, username, password }: Tenant,
  { path, body, passwordWord }: { readonly path: string; readonly body?: unknown; readonly passwordWord: string },
): string {
  const lines = [
    `curl ${location.origin}${path}`,
    `-u '${username}:${password ?? passwordWord}'`,
    `-H 'x-contractAccountId: ${contractAccountId}'`,
  ];
  if (body !== undefined) lines.push(`-H 'content-type: application/json'`, `-d '${JSON.stringify(body)}'`);
  return lines.join(' \\\n  ');
}
