/** All texts of `gondola` in Portuguese. Their keys and placeholders bind `en.ts`. */
export const PT_BR = {
  // Help
  program: 'A linha de comando da Gondola, sobre as APIs de operação dos aplicativos.',
  usageOptions: '[opções]',
  usageCommand: '<comando>',
  titleUsage: 'Uso:',
  titleOptions: 'Opções:',
  titleGlobalOptions: 'Opções de todos os comandos:',
  titleCommands: 'Comandos:',
  titleExamples: 'Exemplos:',
  helpExits: `Códigos de saída:
  0  feito (ou mostrado o que seria feito)
  1  o aplicativo recusou, ou não foi possível
  2  uso errado; nada foi chamado
  3  o aplicativo não responde
  4  token de operação ausente ou errado`,
  helpEnvironment: `Ambiente:
  OPERATIONS_TOKEN, OPERATIONS_TOKEN_FILE  o token de operação, ou o arquivo que o contém
  GONDOLA_WEBHOOK_INGEST_URL, GONDOLA_CATALOG_PUBLISHER_URL,
  GONDOLA_ORDER_COMMAND_HANDLER_URL, GONDOLA_FILE_GATEWAY_URL
                                           onde está cada aplicativo; senão .gondola/run.json, senão 127.0.0.1
  GONDOLA_TIMEOUT_MS                       espera máxima por resposta, em milissegundos`,
  webhook: 'O registro do webhook na plataforma',
  webhookRegister: 'Registra o webhook de um tenant; sem --confirm, só mostra o que seria registrado',
  webhookStatus: 'Mostra o que foi registrado',
  notifications: 'As notificações da plataforma, guardadas pelo webhook-ingest',
  notificationsList: 'Lista notificações, as mais novas primeiro, sem conteúdo',
  notificationsShow: 'Mostra uma notificação',
  notificationsQuarantine: 'Lista o que chegou e não foi entendido, ou mostra uma entrada',
  notificationsReprocess: 'Lê de novo uma entrada da quarentena, depois de uma correção',
  notificationsDiscard: 'Descarta uma entrada da quarentena, com uma nota que fica guardada',
  notificationsErase: 'Apaga o que se guarda de um pedido; sem --confirm, só mostra o que seria apagado',
  deadLetters: 'Os registros que um aplicativo não pôde tratar',
  deadLettersList: 'Lista as dead letters de todos os aplicativos, as mais novas primeiro',
  deadLettersShow: 'Mostra uma dead letter',
  deadLettersRedrive: 'Manda o registro original de novo, byte a byte, só ao grupo que falhou',
  optTenant: 'tenant',
  optWebhookUrl: 'endereço público (https) do webhook, como a plataforma o chamará',
  optConfirm: 'faz; sem ela, nada muda',
  optOrder: 'número do pedido',
  optOperation: 'operationId da plataforma',
  optEvent: 'eventType, por exemplo Order_Updated',
  optEntity: 'relatedEntity, por exemplo Order',
  optState: 'estado: {states}',
  optReason: 'motivo, por exemplo NOT_JSON',
  optLimit: 'quantas no máximo (padrão 50)',
  optBefore: 'só as anteriores a este id',
  optBody: 'mostra também o conteúdo, que pode ter dados pessoais',
  optNote: 'por que se descarta',
  optApp: 'aplicativo: {apps}',
  optLang: 'língua: pt-BR ou en (padrão: LC_ALL, LANG, senão pt-BR)',
  optJson: 'um documento JSON na saída, e nada mais',
  optApiUrl: 'endereço do aplicativo',
  optHelp: 'mostra esta ajuda',

  // Wrong usage
  unknownCommand: 'Não existe o comando {name}; veja gondola --help.',
  missingCommand: 'Falta o comando; veja {command} --help.',
  unknownOption: 'Não existe a opção {name} neste comando; veja --help.',
  missingArgument: 'Falta {name}; veja --help.',
  missingValue: 'A opção {option} pede um valor.',
  missingOption: 'Falta a opção {option}.',
  tooManyArguments: 'Há argumentos demais; valores com espaços pedem aspas.',
  wrongUsage: 'A linha de comando está errada ({detail}); veja --help.',
  notAChoice: '{option} não pode ser "{value}"; valores: {choices}.',
  notALimit: '{option} não pode ser "{value}"; deve ser um número inteiro de 1 a {most}.',
  notAnOrderNumber: '{option} não pode ser "{value}"; deve ser um número de pedido, só dígitos.',
  empty: '{option} não pode ser vazio.',
  notAnUrl: '{option} não pode ser "{value}"; deve ser um endereço como https://loja.example.com/webhooks/platform.',
  idWithFilters: 'Com um id, {option} não filtra nada; use um ou outro.',
  bodyWithoutId: '--body mostra o conteúdo de uma entrada só; diga o id dela.',
  apiUrlWithoutApp: '--api-url é o endereço de um aplicativo só; diga qual com --app.',
  addressNoUrl: '{source} não é um endereço http:// ou https://; deve ser como http://127.0.0.1:{port}.',
  addressHasCredentials: '{source} tem usuário ou senha no endereço; use OPERATIONS_TOKEN.',
  addressNotLocal: '{source} aponta para fora desta máquina, e o token iria para lá; use --api-url ou {variable}.',
  tokenTwice: 'OPERATIONS_TOKEN e OPERATIONS_TOKEN_FILE estão ambos definidos; deixe um só.',
  tokenUnreadable: 'O arquivo de OPERATIONS_TOKEN_FILE não pode ser lido ({code}); deve ser um arquivo com o token.',
  tokenNotUsable: '{source} deve ter um token só: caracteres visíveis, sem espaços no meio.',
  notATimeout: 'GONDOLA_TIMEOUT_MS não pode ser "{value}"; deve ser um número de milissegundos de 1 a {most}.',

  // Where an address comes from
  sourceDefault: 'porta padrão',

  guessed:
    'O endereço de {app} é uma suposição: {url} ({source}), pois não há --api-url, nem {variable}, nem um .gondola/run.json deste usuário, escrito pelo npm start, nesta pasta ou acima.',

  // Failed calls
  guessedChange:
    'Nada foi chamado: {app} em {url} ({source}) é só uma suposição, e ali nada é mudado; use --api-url, ou defina {variable}.',
  unreachable: '{app} não responde em {url} ({source}): {reason}; confira se está no ar e o endereço.',
  silent: '{app} não respondeu em {url} ({source}) em {ms} ms; tente de novo, ou aumente GONDOLA_TIMEOUT_MS.',
  silentChange:
    '{app} não respondeu em {url} ({source}) em {ms} ms; pode ter feito ou não o que foi pedido: confira antes de repetir.',
  unauthorizedNoToken:
    '{app} em {url} ({source}) exige o token de operação; defina OPERATIONS_TOKEN ou OPERATIONS_TOKEN_FILE.',
  unauthorizedToken: '{app} em {url} ({source}) não aceita este token de operação; confira OPERATIONS_TOKEN.',
  notFound: '{app} em {url} não tem {path}; confira o id com a lista, e o endereço.',
  refused: '{app} recusou ({status} {code}): {message}',
  notUnderstood: '{app} em {url} ({source}) respondeu {status} com algo que não é desta API; confira o endereço.',

  // Answers
  none: 'Nada encontrado.',
  more: 'Há mais: use --limit, ou --before {next} para continuar.',
  moreLimit: 'Há mais: use --limit.',
  bodyWarning: 'Atenção: o conteúdo abaixo pode ter dados pessoais; não o cole em chamados nem em logs.',
  contentHidden: 'O conteúdo não é mostrado sem --body.',
  contentGone: 'O conteúdo já não é guardado.',
  contentBinary: 'O conteúdo não é texto; em base64:',
  registerDryRun: 'Nada foi enviado. Um registro não pode ser mudado depois: confira, e repita com --confirm.',
  registerBlocked: 'Nada foi enviado, nem pode ser antes de corrigir: {problems}.',
  registered: 'O webhook está registrado. Não pode ser mudado: mantenha o endereço no ar e o token em webhook.tokens.',
  registeredBefore: 'A plataforma já tem o webhook que foi registrado por aqui antes; nada mudou.',
  registeredProbably:
    'A plataforma já tem um webhook, provavelmente o de uma tentativa daqui cuja resposta se perdeu; se chegarem notificações, é ele.',
  registeredElsewhere:
    'A plataforma já tem um webhook deste tenant, que não foi registrado por aqui; só o suporte dela pode dizer qual, ou tirá-lo.',
  registerRefused: 'A plataforma recusou o registro ({message}); nada foi registrado.',
  registerUnknown:
    'A plataforma não deu resposta que se entenda: pode estar registrado ou não; repita, e se já existir, é provavelmente este.',
  registerNotSent:
    'Nada chegou à plataforma ({message}); confira o endereço e as credenciais no arquivo de tenants, e repita.',
  registerNone: 'Nenhum webhook foi registrado por aqui.',
  registerEvents: 'Eventos ({count}): {events}',
  registerWarning: 'Atenção: {message}',
  stored: 'A entrada {id} foi entendida e guardada como notificação.',
  repeated: 'A entrada {id} foi entendida; a notificação já estava guardada.',
  stillQuarantined: 'A entrada {id} continua na quarentena: {reason}.',
  erased:
    'Apagado o conteúdo guardado do pedido {order} do tenant {tenant}: {notifications} notificações e {quarantined} da quarentena; {waiting} serão apagadas depois de enviadas.',
  eraseDryRun:
    'Nada foi apagado. Do pedido {order} do tenant {tenant} há {count} notificações com conteúdo, fora a quarentena: para apagá-lo, repita com --confirm.',
  discarded: 'A entrada {id} foi descartada.',
  redriven: 'O registro foi mandado de novo, só ao {app} ({times}ª vez).',
  partly: 'A lista está incompleta: {apps} não responderam.',

  // Columns and fields
  colId: 'ID',
  colApp: 'APLICATIVO',
  colTenant: 'TENANT',
  colReceived: 'RECEBIDA',
  colEvent: 'EVENTO',
  colEntity: 'ENTIDADE',
  colSubject: 'ASSUNTO',
  colState: 'ESTADO',
  colReason: 'MOTIVO',
  colDetail: 'DETALHE',
  colBytes: 'BYTES',
  colDeadAt: 'DESDE',
  colStarted: 'TENTATIVA',
  colOutcome: 'RESULTADO',
  colUrl: 'ENDEREÇO',
  colMessage: 'RESPOSTA DA PLATAFORMA',
  colRedriven: 'REENVIOS',
  headersTitle: 'Cabeçalhos',
  keyTitle: 'Chave',
  valueTitle: 'Valor',
} as const;
