import type { CallObservation, CallSpan, TracedCall } from '@gondola/platform-client/tenant-caller';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import { tracing } from '../tracing/tracing.ts';

/** Kinds of answers after which a call has done what it was made for. */
const SUCCESSES = new Set(['accepted', 'found', 'not-found', 'registered', 'exists']);

/**
 * Span of a call of the platform, a child of its command's, by the conventions for HTTP clients. Without `url.full`,
 * which names orders and SKUs.
 */
export function callSpan(call: TracedCall, random: (bytes: number) => Uint8Array): CallSpan {
  const { traceparent: parent, links, tenant, route, method, template, baseUrl } = call;
  if (!tracing.isOn) return unrecorded(parent, random);
  const { hostname, port, protocol } = new URL(baseUrl);
  const attributes = {
    'http.request.method': method,
    'url.template': template,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'gondola.tenant': tenant,
    'gondola.platform.route': route,
  };
  const span = tracing.start({ name: `${method} ${template}`, kind: 'client', parent, links, attributes });
  if (span === null) return unrecorded(parent, random);
  return {
    traceparent: span.traceparent,
    end: ({ kind, cause, status }: CallObservation) =>
      span.end({
        attributes: { 'http.response.status_code': status ?? undefined },
        ...(!SUCCESSES.has(kind) && { error: cause ?? (status === null ? kind : String(status)) }),
      }),
  };
}

function unrecorded(parent: string | undefined, random: (bytes: number) => Uint8Array): CallSpan {
  return { traceparent: childTraceparent(parent, random(TRACE_RANDOM_BYTES)), end: () => {} };
}
