import { QueryParameter } from '@gondola/service-kit/http/request-fields';

/** What an error answer means, for the OpenAPI document. */
export const WRONG = 'A parameter or a field is wrong; the message says what would be right';
export const NO_ENTRY = 'There is no such entry';

const ID = /^\d{1,18}$/;

/** Whether the content is asked for, which may be personal. */
export class BodyQuery {
  @QueryParameter('true: with the content, which is personal data; that it was shown is counted and logged', [
    'true',
    'false',
  ])
  readonly body?: 'true' | 'false';
}

/** The id in a path; null for what no row can have. */
export function idParam(text: string): string | null {
  return ID.test(text) ? text : null;
}
