import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage } from '../texts/i18n.ts';
import { LANGUAGES, type Language } from '../texts/language.ts';

export function LanguageSelect(): ReactNode {
  const { t, i18n } = useTranslation();
  return (
    <label>
      {t('frame.language')}
      <select value={i18n.language} onChange={({ target }) => void chooseLanguage(target.value as Language)}>
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language}>
            {language === 'en' ? 'English' : 'Português'}
          </option>
        ))}
      </select>
    </label>
  );
}
