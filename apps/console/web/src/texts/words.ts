import { useNamed } from '@gondola/web-kit/texts/named';

/** Who must act. */
export type Party = 'erp' | 'platform' | 'gondola' | 'operator' | 'engineer';

type Kind = 'status' | 'attention' | 'party' | 'command' | 'outcome' | 'check' | 'cause';

/** Words for codes of the apps. A code that a newer app has and this page lacks is shown as it is. */
export interface Words {
  readonly word: (kind: Kind, code: string | number) => string;
  readonly status: (status: { readonly code: number } | null | undefined) => string | null;
  /** The text of a key that is made of a code, else another text. */
  readonly named: (key: string, other: string) => string;
}

export function useWords(): Words {
  const named = useNamed();
  const word = (kind: Kind, code: string | number) => named(`${kind}.${code}`, String(code));
  return {
    named,
    word,
    status: (status) => (status === null || status === undefined ? null : word('status', status.code)),
  };
}
