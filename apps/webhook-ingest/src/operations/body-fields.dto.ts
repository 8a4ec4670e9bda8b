import { BadRequestException } from '@nestjs/common';
import { isPlainRecord } from '@gondola/shared/json/json-digits';

/** The fields of a JSON body, of which only those named may be there. */
export function bodyFields<Name extends string>(
  body: unknown,
  known: readonly Name[],
): Partial<Readonly<Record<Name, unknown>>> {
  const fields: unknown = body ?? {};
  if (!isPlainRecord(fields)) throw new BadRequestException(`The body is a JSON object of ${known.join(', ')}`);
  if (Object.keys(fields).some((name) => !known.some((each) => each === name))) {
    throw new BadRequestException(`There is no such field; there are: ${known.join(', ')}`);
  }
  return fields as Partial<Record<Name, unknown>>;
}
