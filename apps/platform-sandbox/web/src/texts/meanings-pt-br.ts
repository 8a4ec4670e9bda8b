/**
 * Faults and switches in Portuguese; the sandbox itself explains them in English (`/admin/fault-kinds`,
 * `/admin/switch-kinds`).
 */
export const MEANINGS_PT = {
  hidden: {
    'active is false': 'O produto está inativo (active é false).',
    'displayInSite is false': 'O produto não é mostrado no site (displayInSite é false).',
    'it has no SKU': 'O produto não tem nenhum SKU.',
  },
  fault: {
    refuse: {
      name: 'Recusar',
      effect:
        'A chamada é aceita, e depois a plataforma a recusa: até 499 com o evento de falha, a partir de 500 sem nenhum evento. Uma consulta responde logo com este status.',
    },
    'error-before': { name: 'Erro sem fazer', effect: 'A chamada recebe um erro 500 (ou outro) e nada é feito.' },
    'error-after': { name: 'Erro depois de fazer', effect: 'A chamada recebe um erro, mas o trabalho foi feito.' },
    'drop-before': { name: 'Conexão cortada sem fazer', effect: 'A conexão cai sem resposta e nada é feito.' },
    'drop-after': {
      name: 'Conexão cortada depois de fazer',
      effect: 'A conexão cai sem resposta, mas o trabalho foi feito.',
    },
    delay: {
      name: 'Lentidão',
      effect: 'A chamada espera este tempo (ms; 1000 se vazio) antes de fazer qualquer coisa.',
    },
    'outcome-first': {
      name: 'Aviso antes da resposta',
      effect: 'A resposta só vem depois que o aviso do resultado foi entregue.',
    },
    'core-silent': { name: 'Silêncio', effect: 'A chamada é aceita; depois nada acontece e ninguém é avisado.' },
    'credentials-expired': {
      name: 'Credenciais vencidas',
      effect: 'Credenciais certas são recusadas como erradas (401 ou 403); nada é feito.',
    },
    'too-many-requests': {
      name: 'Chamadas demais',
      effect: 'Responde 429 com Retry-After (segundos; 1 se vazio); nada é feito.',
    },
    page: {
      name: 'Página no lugar da resposta',
      effect:
        'Responde 2xx com tudo menos a resposta certa (página, corpo vazio, {}, número, JSON cortado…) ou redireciona; nada é feito. A semente escolhe a forma.',
    },
    late: {
      name: 'Chamada atrasada',
      effect:
        'A chamada fica sem resposta: a conexão cai logo, ou fica aberta até quem chamou desistir. Ela é feita depois, a qualquer momento dentro desta janela (ms; 3000 se vazio), e chamadas mais novas passam à frente.',
    },
    'lagging-reads': {
      name: 'Consultas atrasadas',
      effect:
        'Status, corpo do pedido e produto aparecem como eram há algum tempo, no máximo esta janela (ms; 1000 se vazio), com as datas de então; o que ainda não existia responde 404.',
    },
    'reads-1300': {
      name: 'Consultas com 1300',
      effect: 'Depois que os itens mudam, status e corpo do pedido mostram 1300 até o status mudar.',
    },
    reopen: {
      name: 'Pedido reaberto',
      effect:
        'Depois de uma mudança de status, a loja devolve o pedido ao status anterior, dentro desta janela (ms; 1000 se vazio), e avisa.',
    },
    'webhook-poison': {
      name: 'Valor estragado',
      effect:
        'Um valor do aviso traz um NUL, meio par substituto, 10 kB de texto ou outro tipo. A semente escolhe o valor e o que ele traz.',
    },
    'status-as-text': {
      name: 'Status como texto',
      effect: 'O status do pedido vem como texto, "300", em respostas e avisos.',
    },
    'null-lists': {
      name: 'Listas nulas',
      effect: 'Cada lista de uma resposta ou de um aviso vem como null, também os itens do pedido.',
    },
    'webhook-lose': { name: 'Aviso perdido', effect: 'O aviso nunca é enviado, nem aparece entre os desistidos.' },
    'webhook-double': { name: 'Aviso em dobro', effect: 'O mesmo aviso é entregue duas vezes, ao mesmo tempo.' },
    'webhook-delay': { name: 'Aviso atrasado', effect: 'O aviso é entregue mais tarde (ms; 1000 se vazio).' },
    'webhook-shuffle': {
      name: 'Avisos fora de ordem',
      effect: 'Cada aviso é entregue num momento sorteado dentro desta janela (ms; 500 se vazio).',
    },
    'webhook-corrupt': { name: 'Aviso cortado', effect: 'Só o começo do corpo é entregue, que nunca é JSON válido.' },
    'extra-fields': {
      name: 'Campos novos',
      effect: 'Respostas e avisos trazem campos e códigos desconhecidos, como numa versão futura da plataforma.',
    },
  },
  switch: {
    transitions:
      'strict: uma mudança de status só é aceita como na tabela do documento. lenient: 400 e 350 também são aceitos de outros status de um pedido pago.',
    unpaidOrOver:
      'taken: mudanças que o documento permite de qualquer status valem também para pedidos não pagos, cancelados ou devolvidos. refused: nesses elas são recusadas com 409.',
    unknownStatus:
      'Nome de status desconhecido. by-event: a chamada é aceita e recusada depois, por evento. by-400: a chamada responde 400.',
    invoicedByItself:
      'Ligado: um pedido com nota registrada e arquivo anexado vai a 350 sozinho. Desligado: só por um PATCH.',
    secondInvoice: 'Outra nota de um pedido que já tem uma: recusada com 409, ou registrada no lugar dela.',
    registrationField: 'Campo do corpo que traz a nota registrada; null: nenhum.',
    fractionOfCent: 'Dígitos depois dos centavos num total que a plataforma calcula: com 5, 12,45 vira 12,455.',
    cancelOperationIds: 'two: o 800 de um cancelamento tem outro id de operação que o 750.',
    cancellationMs: 'Milissegundos que um pedido cancelado fica em 750.',
    refundsByItself: 'Ligado: 1100 e 1200 seguem sozinhos a 800 e a 1000.',
    statusKey: 'Nome do campo de status no corpo do PATCH; vazio: o corpo é o próprio nome.',
    pickingKeys:
      'Nomes dos campos do corpo que informa a separação. Com line, um item pode dizer a linha do pedido pela posição, a partir de 1.',
    cancelReasonKey: 'Campo que o corpo de um cancelamento precisa ter; null: nenhum.',
    requiredOfCategory: 'Campos sem os quais uma categoria é rejeitada.',
    batchPaths: 'Caminhos das três rotas de preço, depósito e estoque abaixo de /v1/batch/.',
    requiredOfRecord: 'Campos sem os quais um preço, depósito ou estoque é rejeitado.',
    linkingKey: 'Campo do formulário que liga arquivos já enviados pelo nome; null: só pelo nome padronizado.',
    placedNames: 'Nome padronizado dos arquivos enviados, sem a extensão.',
    payloadVersion:
      'O que escolhe a versão 2 do corpo do pedido: query (?version=2), header (x-api-version) ou path (/v2/).',
    statusAnswer: 'Forma da resposta de GET …/status.',
    invoiceAnswer:
      'Forma da resposta de GET /v1/Storages/invoice: objeto com o endereço, texto, lista ou o próprio arquivo.',
    answersNotShown: 'Respostas que o documento não mostra: operationId ou corpo vazio.',
    errorBody: 'Forma dos erros: object, problem (application/problem+json) ou text.',
    authorization:
      'with-scheme: os avisos trazem Bearer ou Basic antes do token registrado. as-sent: o token como foi registrado.',
    successEvents: 'notified: marcas, categorias, preços, depósitos e estoque que entraram também são avisados.',
  },
};
