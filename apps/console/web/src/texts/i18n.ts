import { changeLanguage, use as withPlugin } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { EN } from './en.ts';
import { firstLanguage, type Language } from './language.ts';
import { PT_BR } from './pt-br.ts';

const STORED = 'gondola.language';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof PT_BR };
    returnNull: false;
  }
}

export async function startTexts(): Promise<void> {
  const language = firstLanguage(localStorage.getItem(STORED), navigator.languages);
  document.documentElement.lang = language;
  await withPlugin(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { 'pt-BR': { translation: PT_BR }, en: { translation: EN } },
    // React escapes every text; i18next must not do it a second time.
    interpolation: { escapeValue: false },
  });
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  document.documentElement.lang = language;
  await changeLanguage(language);
}
