import { ApiProblem, problemOf } from '@gondola/web-kit/api/api-problem';
import type { components, paths } from '../api/file-gateway.d.ts';

export type Upload = components['schemas']['Upload'];

const ROUTE = '/api/uploads' satisfies keyof paths;

interface Sent {
  readonly tenant: string;
  readonly file: File;
  /** Told the share that has been sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Sends a file to file-gateway as it is. `fetch` does not tell how much of it has been sent. */
export async function uploadFile({ tenant, file, onProgress }: Sent): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/apps/file-gateway${ROUTE}?${new URLSearchParams({ tenant }).toString()}`);
    request.setRequestHeader('content-type', file.type);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener('load', () => {
      const body = parsed(request.responseText);
      if (request.status === 201) resolve(body as Upload);
      else reject(problemOf(request.status, body));
    });
    request.addEventListener('error', () => reject(new ApiProblem(0, 'SERVER_AWAY', '')));
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
