import { notFound } from '../http/http-error.ts';
import { Raw, route, type AnyRoute } from '../http/route.ts';
import type { Files } from './files.service.ts';

/** Serves the files at the URLs that the platform returns; like those of a storefront they require no credentials. */
export function fileRoutes(files: Files): AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/files/:id/:name',
      access: 'open',
      summary: 'A file, where the URLs of files lead',
      parameters: { id: ['Storage id', { type: 'string', format: 'uuid' }], name: 'For people only' },
      binary: true,
      errors: { 404: 'There is no file with this URL' },
      handle: ({ params, reply }) => {
        const file = files.find((params['id'] ?? '').toLowerCase());
        if (file === undefined) throw notFound('FILE_UNKNOWN', 'There is no file with this URL');
        // With a media type that the caller chose, a browser must not execute the caller's content.
        void reply.header('x-content-type-options', 'nosniff').header('content-security-policy', 'sandbox');
        return new Raw(files.read(file.id), file.mediaType, file.size);
      },
    }),
  ];
}
