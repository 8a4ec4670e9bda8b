/** The secret of a sign-in link, which stands in the fragment: `#link=…`. Null for any other fragment. */
export function secretOf(fragment: string): string | null {
  return /^#link=([^&]+)$/.exec(fragment)?.[1] ?? null;
}

/** Takes a secret, or a reason of the provider, out of the address. */
export function removeFragment(): void {
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** Reason why the provider of OpenID Connect let nobody in, with which the server sends the browser back. */
export function refusalOf(fragment: string): 'failed' | 'no-rights' | null {
  const reason = /^#sign-in=(failed|no-rights)$/.exec(fragment)?.[1];
  return reason === 'failed' || reason === 'no-rights' ? reason : null;
}
