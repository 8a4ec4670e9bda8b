import { z } from 'zod';

/** Stands in {@link WireProfile.patchStatusBody} for the name of the status that is set. */
export const STATUS_NAME_PLACEHOLDER = '<NAME>';

/** Stands in {@link WireProfile.webhookPayloadPath} for the percent-encoded order number. */
export const ORDER_NUMBER_PLACEHOLDER = '{orderNumber}';

// What a request line can hold as it is; two slashes at the start would name another host.
const REQUEST_PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/?{}]*$/;
const DOTTED_PATH = /^[^.\s]+(\.[^.\s]+)*$/;

/**
 * What the platform's document calls "not shown", for the routes that Gondola calls. It is the only place where something is assumed about
 * the wire; a tenant overrides single keys in the tenants file. Every key with its default stands in `docs/wire-profile.md`.
 *
 * platform-api.md: Endpoints, Orders (body of PATCH status, answer of GET status); Versioning 2 (selection of the v2 payload).
 */
export const wireProfileSchema = z.strictObject({
  patchStatusBody: z
    .json()
    .refine(containsStatusName, `deve conter o texto / must contain the text ${STATUS_NAME_PLACEHOLDER}`)
    .default({ status: STATUS_NAME_PLACEHOLDER })
    .describe(
      'JSON body of `PATCH /v1/Orders/{orderNumber}/status`; every `<NAME>` inside a text becomes the name of the status. An override replaces the whole body.',
    ),
  orderStatusPaths: z
    .array(z.string().regex(DOTTED_PATH, 'nomes de campos separados por pontos / field names joined by dots'))
    .default(['status', 'code', 'data.status'])
    .describe(
      'Where the answer of `GET /v1/Orders/{orderNumber}/status` holds the status when it is an object: the first of these that holds a status counts. A bare number or text is always read.',
    ),
  webhookPayloadPath: z
    .string()
    .regex(REQUEST_PATH, 'caminho que começa com uma só barra / path that begins with one slash')
    .refine((path) => path.includes(ORDER_NUMBER_PLACEHOLDER), `deve conter / must contain ${ORDER_NUMBER_PLACEHOLDER}`)
    .default(`/v1/Orders/${ORDER_NUMBER_PLACEHOLDER}/webhook-payload?version=2`)
    .describe(
      'Path and query that read the v2 form of the payload that a webhook would carry; `{orderNumber}` becomes the order number.',
    ),
});

/** A complete wire profile: the tenant's overrides over the defaults. */
export type WireProfile = z.output<typeof wireProfileSchema>;

/** The profile of a tenant that overrides nothing. */
export const DEFAULT_WIRE_PROFILE: WireProfile = wireProfileSchema.parse({});

/** The JSON text that sets a status by its name. */
export function patchStatusBody(profile: WireProfile, statusName: string): string {
  // Replaced in the template's values, not in its text, so that no name can break the JSON.
  return JSON.stringify(profile.patchStatusBody, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(STATUS_NAME_PLACEHOLDER, () => statusName) : value,
  );
}

function containsStatusName(body: z.core.util.JSONType): boolean {
  if (typeof body === 'string') return body.includes(STATUS_NAME_PLACEHOLDER);
  if (body === null || typeof body !== 'object') return false;
  return Object.values(body).some(containsStatusName);
}
