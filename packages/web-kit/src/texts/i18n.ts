import { changeLanguage, use as withPlugin } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { firstLanguage, type Language } from './language.ts';

const STORED = 'gondola.language';

/** The texts of the page that uses the kit, which it declares as its own: those of the kit and `appName` among them. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface PageTexts {}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: PageTexts };
    returnNull: false;
  }
}

export async function startTexts(texts: Readonly<Record<Language, object>>): Promise<void> {
  const language = firstLanguage(localStorage.getItem(STORED), navigator.languages);
  document.documentElement.lang = language;
  await withPlugin(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: Object.fromEntries(Object.entries(texts).map(([tag, translation]) => [tag, { translation }])),
    // React escapes every text; i18next must not do it a second time.
    interpolation: { escapeValue: false },
  });
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  document.documentElement.lang = language;
  await changeLanguage(language);
}
