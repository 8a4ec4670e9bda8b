import type { Type } from '@nestjs/common';
import * as mapped from '@nestjs/mapped-types';
import type * as Swagger from '@nestjs/swagger';

type Library = typeof Swagger;

/** Decorators and mapped types that were met so far, and are not applied yet. */
const noted: ((library: Library) => void)[] = [];

/**
 * `@nestjs/swagger`, loaded and told of all decorators by the first call. It is a sixth of the modules of an app, with
 * its helper library, and only `GET /api/openapi.json` needs it; so the decorators below only take notes.
 */
export async function loadSwagger(): Promise<Library> {
  const library = await import('@nestjs/swagger');
  for (const apply of noted.splice(0)) apply(library);
  return library;
}

type DecoratorName = Extract<keyof Library, `Api${string}`>;
type Decorate = (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => void;

/** A decorator of the library with its own type, applied once the library is loaded. */
function later<Name extends DecoratorName>(name: Name): Library[Name] {
  const factory =
    (...settings: unknown[]): Decorate =>
    (target, key, descriptor) => {
      noted.push((library) => {
        const decorate = (library[name] as (...args: unknown[]) => Decorate)(...settings);
        decorate(target, key, descriptor);
      });
    };
  return factory as Library[Name];
}

export const ApiAcceptedResponse = later('ApiAcceptedResponse');
export const ApiBadRequestResponse = later('ApiBadRequestResponse');
export const ApiBody = later('ApiBody');
export const ApiExtension = later('ApiExtension');
export const ApiExcludeEndpoint = later('ApiExcludeEndpoint');
export const ApiExtraModels = later('ApiExtraModels');
export const ApiOkResponse = later('ApiOkResponse');
export const ApiOperation = later('ApiOperation');
export const ApiParam = later('ApiParam');
export const ApiProperty = later('ApiProperty');
export const ApiPropertyOptional = later('ApiPropertyOptional');
export const ApiQuery = later('ApiQuery');
export const ApiResponse = later('ApiResponse');
export const ApiSecurity = later('ApiSecurity');
export const ApiServiceUnavailableResponse = later('ApiServiceUnavailableResponse');

const describe = later('ApiSchema');
const names = new WeakMap<object, string>();

/** Names a DTO class in the document. */
export function ApiSchema(schema: { readonly name: string }): ClassDecorator {
  return (target) => {
    names.set(target, schema.name);
    describe(schema)(target);
  };
}

/** Reference of a DTO class in the document. */
export function getSchemaPath(type: Type): string {
  return `#/components/schemas/${names.get(type) ?? type.name}`;
}

export function OmitType<T, Key extends keyof T>(base: Type<T>, keys: readonly Key[]): Type<Omit<T, Key>> {
  return described(mapped.OmitType(base, keys), (library) => library.OmitType(base, keys));
}

export function PartialType<T>(base: Type<T>): Type<Partial<T>> {
  return described(mapped.PartialType(base), (library) => library.PartialType(base));
}

export function PickType<T, Key extends keyof T>(base: Type<T>, keys: readonly Key[]): Type<Pick<T, Key>> {
  return described(mapped.PickType(base, keys), (library) => library.PickType(base, keys));
}

const PROPERTIES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';

/** Gives a mapped class the description of the library's own, once that is loaded. */
function described<T>(type: Type<T>, own: (library: Library) => Type<unknown>): Type<T> {
  noted.push((library) => {
    const from = own(library).prototype as object;
    const to = type.prototype as object;
    const properties = (Reflect.getMetadata(PROPERTIES, from) ?? []) as readonly string[];
    Reflect.defineMetadata(PROPERTIES, properties, to);
    for (const property of properties) {
      const name = property.slice(1);
      Reflect.defineMetadata(PROPERTY, Reflect.getMetadata(PROPERTY, from, name), to, name);
    }
  });
  return type;
}
