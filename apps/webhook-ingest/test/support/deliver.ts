import { randomUUID } from 'node:crypto';
import { ACME, ACME_TOKEN } from './ingest-bench.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export interface Delivery {
  readonly path?: string;
  /** Null: the header is absent. */
  readonly authorization?: string | null;
  readonly headers?: Record<string, string>;
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean;
}

/** Delivers a body as the platform does, and returns the answer. */
export async function deliver(
  { url }: { readonly url: string },
  body: Uint8Array | string,
  { path = '/webhooks/platform', authorization = `Bearer ${ACME_TOKEN}`, headers, chunked = false }: Delivery = {},
): Promise<Answer> {
  const startedAt = performance.now();
  const bytes = Buffer.from(body as string);
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization === null ? {} : { authorization }),
      ...headers,
    },
    body: chunked ? inChunks(bytes) : bytes,
    ...(chunked && { duplex: 'half' }),
  });
  const text = await response.text();
  return { status: response.status, text, ms: performance.now() - startedAt };
}

/** An envelope of `acme` about an order, with a new operation. */
export function envelope(more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    operationId: randomUUID(),
    contractAccountId: ACME,
    relatedEntity: 'Order',
    eventType: 'Order_Updated',
    data: { number: 100_234, status: 300 },
    ...more,
  });
}

const CHUNK_BYTES = 16_384;

function inChunks(bytes: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) controller.enqueue(bytes.subarray(at, at + CHUNK_BYTES));
      controller.close();
    },
  });
}
