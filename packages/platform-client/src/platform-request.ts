import { formatTraceparent, parseTraceparent } from '@gondola/shared/topics/traceparent';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { MultipartBody } from './multipart.ts';
import { PlatformClientError } from './platform-client-error.ts';

/** Base URLs and credentials of a tenant at the platform. */
export interface PlatformAccess {
  /** GUID of the tenant. */
  readonly contractAccountId: string;
  /** Base URL of the integration API, without `/v1`. */
  readonly baseUrl: string;
  /** Base URL of the core service. */
  readonly coreBaseUrl: string;
  readonly username: string;
  readonly password: string;
  /** Required only for core routes. */
  readonly coreApiKey?: string | null | undefined;
}

export interface PlatformCall {
  /** Service of the platform; the two authenticate differently. */
  readonly service: 'integration' | 'core';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path from `/v1` on; references in it are already encoded by {@link pathSegment}. */
  readonly path: string;
  /** JSON text, sent unchanged, or files. */
  readonly body?: string | MultipartBody;
  readonly traceparent?: string | undefined;
}

/**
 * One HTTP request: Basic and `x-contractAccountId` for the integration API, `X-API-KEY` for core (docs/platform.md,
 * "Authentication"; rule 36). Pure.
 *
 * @throws PlatformClientError `CORE_KEY_MISSING`
 */
export function platformRequest(access: PlatformAccess, call: PlatformCall): Dispatcher.DispatchOptions {
  const base = new URL(call.service === 'core' ? access.coreBaseUrl : access.baseUrl);
  const { body } = call;
  return {
    origin: base.origin,
    path: base.pathname.replace(/\/+$/, '') + call.path,
    method: call.method,
    headers: {
      ...authentication(access, call.service),
      accept: 'application/json',
      ...bodyHeaders(body),
      ...traceHeader(call.traceparent),
    },
    body: typeof body === 'object' ? Readable.from(body.chunks()) : (body ?? null),
  };
}

/**
 * One path segment that names a record of the ERP, percent-encoded (rule 36). A segment of dots alone is encoded
 * too, since it would climb the path.
 *
 * @throws PlatformClientError `REQUEST_NOT_POSSIBLE` for an empty reference, which would name the whole collection
 */
export function pathSegment(reference: string): string {
  if (reference === '') throw new PlatformClientError('REQUEST_NOT_POSSIBLE');
  // Half a surrogate pair becomes U+FFFD, as it does in a body.
  const encoded = encodeURIComponent(reference.toWellFormed());
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

function bodyHeaders(body: string | MultipartBody | undefined): Record<string, string> {
  if (body === undefined) return {};
  if (typeof body === 'string') return { 'content-type': 'application/json' };
  return { 'content-type': body.contentType, 'content-length': String(body.size) };
}

/** An invalid trace header is left out, so that it does not make the call fail. */
function traceHeader(text: string | undefined): Record<string, string> {
  const trace = parseTraceparent(text);
  return trace === null ? {} : { traceparent: formatTraceparent(trace) };
}

function authentication(access: PlatformAccess, service: PlatformCall['service']): Record<string, string> {
  if (service === 'integration') {
    const credentials = Buffer.from(`${access.username}:${access.password}`, 'utf8').toString('base64');
    return { authorization: `Basic ${credentials}`, 'x-contractAccountId': access.contractAccountId };
  }
  if (access.coreApiKey === undefined || access.coreApiKey === null) throw new PlatformClientError('CORE_KEY_MISSING');
  return { 'X-API-KEY': access.coreApiKey };
}
