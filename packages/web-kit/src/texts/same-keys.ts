/** A catalog of texts with the keys of another one, so that a text that lacks in a language does not compile. */
export type SameKeys<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : SameKeys<Texts[Key]>;
};
