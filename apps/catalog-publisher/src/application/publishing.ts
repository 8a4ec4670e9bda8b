import type { Language } from '@gondola/shared/reason-codes';

/** What use cases need of their surroundings beside the mechanisms. */
export interface Publishing {
  readonly now: () => Date;
  readonly languageOf: (tenant: string) => Language;
}
