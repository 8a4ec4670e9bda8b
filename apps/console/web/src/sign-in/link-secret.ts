/** The secret of a sign-in link, which stands in the fragment: `#link=…`. Null for any other fragment. */
export function secretOf(fragment: string): string | null {
  return /^#link=([^&]+)$/.exec(fragment)?.[1] ?? null;
}
