/** Apps with an operations API that the console shows and passes calls on to. */
export const APP_NAMES = ['webhook-ingest', 'file-gateway', 'order-command-handler', 'catalog-publisher'] as const;

export type AppName = (typeof APP_NAMES)[number];

export function isAppName(text: string): text is AppName {
  return APP_NAMES.some((name) => name === text);
}
