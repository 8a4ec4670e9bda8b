type Search = Readonly<Record<string, unknown>>;

/** A text of the address's search, if it is one: digits arrive as a number. */
export function textOf<Name extends string>(search: Search, name: Name): { [Key in Name]?: string } {
  const value = search[name];
  const text = typeof value === 'number' ? String(value) : value;
  return (typeof text === 'string' && text !== '' ? { [name]: text } : {}) as { [Key in Name]?: string };
}

/** True of the address's search; everything else is left out. */
export function booleanOf<Name extends string>(search: Search, name: Name): { [Key in Name]?: boolean } {
  return (search[name] === true ? { [name]: true } : {}) as { [Key in Name]?: boolean };
}
