import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';

/** A parameter of a query that may be left out: any text, or one of `choices`. For DTO classes behind `RequestPipe`. */
export function QueryParameter(description: string, choices?: readonly string[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, ...(choices === undefined ? { type: String } : { enum: choices }) }),
    IsOptional(),
    ...(choices === undefined ? [] : [IsIn(choices, { message: `$property is one of: ${choices.join(', ')}` })]),
  );
}

/** A field of a request that must pass a check; `message` says what would be right. */
export function Must(check: (value: unknown) => boolean, message: string): PropertyDecorator {
  return ValidateBy({ name: 'must', validator: { validate: check } }, { message });
}
