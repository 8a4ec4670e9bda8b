import { useTranslation } from 'react-i18next';

type Named = (key: string, other: string, values?: object) => string;

/** The text of a key that is made of a code, else another text: a code that this page lacks is shown as it is. */
export function useNamed(): Named {
  const { t, i18n } = useTranslation();
  return (key, other, values = {}) =>
    i18n.exists(key) ? (t as (key: string, values: object) => string)(key, values) : other;
}
