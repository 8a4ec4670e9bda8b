/** Texts of the kit in Portuguese, which each page adds to its own. `kit-en.ts` has the same keys. */
export const KIT_PT = {
  frame: {
    navigation: 'Páginas',
    menu: 'Menu',
    skip: 'Ir para o conteúdo',
    language: 'Idioma',
    loading: 'Carregando…',
    slow: 'A resposta está demorando; a página continua esperando.',
  },
  problem: {
    FORBIDDEN: 'O seu acesso não permite isto.',
    NOT_FOUND: 'Não encontrado.',
    other: 'O aplicativo respondeu com um erro ({{code}}): {{message}}',
    retry: 'Tentar de novo',
  },
  text: {
    cut: '… cortado: {{count}} caracteres ao todo',
    none: '—',
    copied: 'Copiado.',
    notCopied: 'O navegador não deixou copiar. Selecione o texto e copie à mão.',
  },
  dialog: { cancel: 'Cancelar', working: 'Fazendo…' },
};
