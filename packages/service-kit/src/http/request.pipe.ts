import { type ArgumentMetadata, BadRequestException, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { isStorable } from '@gondola/shared/json/storable-text';
import { getMetadataStorage, validateSync } from 'class-validator';
import { readTime, timesOf } from './request-fields.ts';

/**
 * Validates a query or a JSON body against its DTO class, and answers 400 with the message of the first broken
 * constraint. Unknown fields are refused: a misspelt filter would otherwise return everything. So are texts that cannot
 * be stored. A query parameter is a single text; an empty one counts as absent. A time (`TimeParameter`) is given on in
 * UTC. Nest's own `ValidationPipe` requires class-transformer (ADR 11).
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    const names = metatype === undefined ? [] : fieldsOf(metatype);
    if (metatype === undefined || names.length === 0) return value;
    const given = type === 'query' ? parametersOf(value as object, names) : bodyOf(value, names);
    refuseUnstorable(given);
    const dto = Object.assign(new metatype() as object, given);
    const [error] = validateSync(dto, { stopAtFirstError: true });
    const [message] = Object.values(error?.constraints ?? {});
    if (message !== undefined) throw new BadRequestException(message);
    return Object.assign(dto, utcTimes(dto));
  }
}

function utcTimes(dto: object): object {
  const given = dto as Readonly<Record<string, unknown>>;
  const named = timesOf(dto).filter((name) => given[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, readTime(given[name])]));
}

/** Fields of a DTO class: its own first, then those of its base class. */
function fieldsOf(dto: Type): string[] {
  const constraints = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return [...new Set(constraints.map(({ propertyName }) => propertyName))];
}

function parametersOf(query: object, names: readonly string[]): object {
  refuseUnknown(query, names, 'parameter');
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  const repeated = filled.find(([, value]) => typeof value !== 'string');
  if (repeated !== undefined) throw new BadRequestException(`${repeated[0]} may be given once`);
  return Object.fromEntries(filled);
}

function bodyOf(body: unknown, names: readonly string[]): object {
  const fields = body ?? {};
  if (typeof fields !== 'object' || Array.isArray(fields)) {
    throw new BadRequestException(`The body is a JSON object of ${names.join(', ')}`);
  }
  refuseUnknown(fields, names, 'field');
  return fields;
}

function refuseUnknown(given: object, names: readonly string[], word: 'parameter' | 'field'): void {
  if (Object.keys(given).every((name) => names.includes(name))) return;
  throw new BadRequestException(`There is no such ${word}; there are: ${names.join(', ')}`);
}

function refuseUnstorable(given: object): void {
  const found = Object.entries(given).find(([, value]) => typeof value === 'string' && !isStorable(value));
  if (found === undefined) return;
  throw new BadRequestException(`${found[0]} contains the character NUL, or half of a surrogate pair`);
}
