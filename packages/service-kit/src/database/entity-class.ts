import type { ObjectLiteral } from 'typeorm';

/** A class with `@Entity`. */
export type EntityClass<E extends ObjectLiteral = ObjectLiteral> = new () => E;
