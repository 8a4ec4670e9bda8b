type Texts = { readonly [name: string]: string | Texts };

/** Each text of a catalog by its path. */
export function flatTexts(texts: Texts, path = ''): Array<readonly [path: string, text: string]> {
  return Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${path}${name}`, text] as const] : flatTexts(text, `${path}${name}.`),
  );
}

/** Texts of one language that are empty, or have other names to fill in than those of the other one. */
export function differingTexts(one: Texts, other: Texts): string[] {
  const others = new Map(flatTexts(other));
  return flatTexts(one).flatMap(([path, text]) => {
    const isSame = text.trim() !== '' && String(holesOf(text)) === String(holesOf(others.get(path) ?? ''));
    return isSame ? [] : [path];
  });
}

function holesOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name))].toSorted();
}
