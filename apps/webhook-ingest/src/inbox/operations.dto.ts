import { isId } from '@gondola/service-kit/http/page.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';

/** Error descriptions for the OpenAPI document. */
export const WRONG = 'A parameter or a field is wrong; the message says what would be right';
export const NO_ENTRY = 'There is no such entry';

/** Asks for the content, which may be personal. */
export class BodyQuery {
  @QueryParameter(
    'true: the answer holds the content, which is personal data; each such answer is counted and logged',
    ['true', 'false'],
  )
  readonly body?: 'true' | 'false';
}

/** The id in a path; null if no row can have it. */
export function idParam(text: string): string | null {
  return isId(text) ? text : null;
}
