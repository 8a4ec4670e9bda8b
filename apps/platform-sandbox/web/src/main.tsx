import { createQueryClient } from '@gondola/web-kit/api/live';
import { startTexts } from '@gondola/web-kit/texts/i18n';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './shell/router.tsx';
import { EN } from './texts/en.ts';
import { MEANINGS_PT } from './texts/meanings-pt-br.ts';
import { PT_BR } from './texts/pt-br.ts';

type Texts = typeof PT_BR;

declare module '@gondola/web-kit/texts/i18n' {
  interface PageTexts extends Texts {}
}

/** How often a page that is looked at is read again. */
const LIVE_MS = 2_000;

await startTexts({ 'pt-BR': { ...PT_BR, ...MEANINGS_PT }, en: EN });

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient(LIVE_MS)}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
