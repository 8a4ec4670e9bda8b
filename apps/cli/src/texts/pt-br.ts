/** All texts of `gondola` in Portuguese. Their keys and placeholders bind `en.ts`. */
export const PT_BR = {
  // Help
  program: 'A linha de comando do Gondola. Usa as APIs de operação dos aplicativos.',
  usageOptions: '[opções]',
  usageCommand: '<comando>',
  titleUsage: 'Uso:',
  titleOptions: 'Opções:',
  titleGlobalOptions: 'Opções de todos os comandos:',
  titleCommands: 'Comandos:',
  titleExamples: 'Exemplos:',
  helpExits: `Códigos de saída:
  0  feito (ou mostrado o que seria feito)
  1  o aplicativo recusou, ou o comando falhou
  2  uso errado; nada foi chamado
  3  o aplicativo não responde
  4  token de operação ausente ou errado`,
  helpEnvironment: `Ambiente:
  OPERATIONS_TOKEN, OPERATIONS_TOKEN_FILE  o token de operação, ou o arquivo que o contém
  GONDOLA_WEBHOOK_INGEST_URL, GONDOLA_CATALOG_PUBLISHER_URL,
  GONDOLA_ORDER_COMMAND_HANDLER_URL, GONDOLA_FILE_GATEWAY_URL, GONDOLA_CONSOLE_URL
                                           endereço de cada aplicativo; senão .gondola/run.json, senão 127.0.0.1
  GONDOLA_UPLOAD_TOKEN, GONDOLA_UPLOAD_TOKEN_FILE
                                           o token de upload do tenant, ou o arquivo que o contém
  GONDOLA_UPLOADS_URL                      endereço de /uploads, se for diferente do endereço do file-gateway
  GONDOLA_PLATFORM_PASSWORD, GONDOLA_WEBHOOK_TOKEN, GONDOLA_OTHER_WEBHOOK_TOKEN, KAFKA_…
                                           o que os comandos de conformance pedem
  GONDOLA_TIMEOUT_MS                       espera máxima por resposta, em milissegundos`,
  languageTag: 'pt-BR',
  catalog: 'O catálogo do catalog-publisher',
  records: 'Registros de um ERP, sem nenhum aplicativo',
  sharedNotBuilt: 'O código que confere registros ainda não foi compilado: rode npm run build uma vez.',
  files: 'Conteúdos para o file-gateway, e os arquivos que a plataforma mostra',
  orders: 'Os pedidos do order-command-handler',
  audit: 'O fechamento do mês: os pedidos na loja, como publicados e como o ERP os tem',
  commands: 'Os comandos de pedido do ERP',
  webhook: 'O registro do webhook na plataforma',
  notifications: 'As notificações da plataforma, armazenadas pelo webhook-ingest',
  deadLetters: 'Os registros que um aplicativo não pôde tratar',
  parked: 'Os registros que o Kafka não aceita como são',
  replay: 'Registros que são publicados outra vez, para um ERP que os perdeu',
  jobs: 'Ações sobre muitas dead letters, ou entradas da quarentena, de uma vez',
  mirror: 'O outro receptor das notificações de um tenant',
  pauses: 'Pausas das chamadas à plataforma',
  console: 'O console dos operadores',
  consoleSessions: 'Quem entrou no console',
  stuck: 'Pedidos, produtos e outros cujos passos falham sempre de novo',
  conformance: 'Confere uma plataforma, um receptor de webhooks ou um ERP de outros',
  shadow: 'A comparação das lojas em modo sombra (mode: shadow) com o que outro conector faz',
  erase: 'Apaga dados pessoais em todos os aplicativos que os armazenam',
  optLang: 'idioma: pt-BR ou en (padrão: LC_ALL, LANG, senão pt-BR)',
  optJson: 'um documento JSON na saída padrão, e nada mais',
  optApiUrl: 'endereço do aplicativo',
  optHelp: 'mostra esta ajuda',

  // Wrong usage
  unknownCommand: 'Não existe o comando {name}; veja gondola --help.',
  missingCommand: 'Falta o comando; veja {command} --help.',
  unknownOption: 'Não existe a opção {name} neste comando; veja --help.',
  missingArgument: 'Falta {name}; veja --help.',
  missingValue: 'A opção {option} exige um valor.',
  missingOption: 'Falta a opção {option}.',
  tooManyArguments: 'Há argumentos demais; valores com espaços exigem aspas.',
  wrongUsage: 'A linha de comando está errada ({detail}); veja --help.',
  notAChoice: '{option} não pode ser "{value}"; valores: {choices}.',
  notALimit: '{option} não pode ser "{value}"; deve ser um número inteiro de 1 a {most}.',
  notAnOrderNumber: '{option} não pode ser "{value}"; deve ser um número de pedido, só dígitos.',
  notWhole: '{option} não pode ser "{value}"; deve ser um número inteiro.',
  notADuration: '{option} não pode ser "{value}"; deve ser como 30s, 90m, 2h ou 3d.',
  notLike: '{option} não pode ser "{value}"; deve ser como {right}.',
  notWritable: '--junit não pode ser escrito: {path} ({code}).',
  secretMissing: 'Falta {variable}, ou {variable}_FILE com o arquivo.',
  notAnswering: '{url} não responde ({code}); confira o endereço.',
  loginRefused: '{url} recusa --account, --user ou a senha (HTTP {status}); nada foi conferido.',
  notListening: '--listen não pode usar {address} ({code}).',
  groupAway: 'Nenhum membro do grupo {group} lê {topic}; inicie o ERP com este prefixo e este grupo.',
  planPlatform:
    'Cria em {url} marcas, categorias e produtos de teste, que não se apagam, e com --listen o webhook da loja; repita com --confirm.',
  planReceiver:
    'Entrega a {url} umas 50 notificações de teste, boas e hostis, do pedido 990000001; repita com --confirm.',
  planErp:
    'Cria os tópicos {prefix}erp.… que faltam, publica eventos e resultados de teste, e lê o que o ERP escreve; repita com --confirm.',
  notAnEmail: '{option} deve ser um e-mail.',
  apiUrlOfSeveral:
    '--api-url é o endereço de um só aplicativo, e este comando chama vários; use as variáveis GONDOLA_…_URL.',
  empty: '{option} não pode ser vazio.',
  notAnUrl: '{option} não pode ser "{value}"; deve ser um endereço como https://loja.example.com/webhooks/platform.',
  idWithFilters: 'Com um id, {option} não filtra nada; use um ou outro.',
  bodyWithoutId: '--body mostra o conteúdo de uma só entrada; informe o id dela.',
  apiUrlWithoutApp: '--api-url é o endereço de um só aplicativo; informe qual com --app.',
  addressNoUrl: '{source} não é um endereço http:// ou https://; deve ser como http://127.0.0.1:{port}.',
  addressHasCredentials: '{source} tem usuário ou senha no endereço; use OPERATIONS_TOKEN.',
  addressNotLocal: '{source} aponta para fora desta máquina, e o token iria para lá; use --api-url ou {variable}.',
  tokenTwice: '{variable} e {variable}_FILE estão ambos definidos; deixe um só.',
  tokenUnreadable: 'O arquivo de {variable}_FILE não pode ser lido ({code}); deve ser um arquivo com o token.',
  tokenNotUsable: '{source} deve conter um só token: caracteres visíveis, sem espaços.',
  notATimeout: 'GONDOLA_TIMEOUT_MS não pode ser "{value}"; deve ser um número de milissegundos de 1 a {most}.',

  // Origin of an address
  sourceDefault: 'porta padrão',

  guessed:
    'O endereço de {app} é uma suposição: {url} ({source}), pois não há --api-url, nem {variable}, nem um .gondola/run.json deste usuário, escrito pelo npm start, nesta pasta ou acima.',

  // Failed calls
  guessedChange:
    'Nada foi chamado: {app} em {url} ({source}) é só uma suposição, e nada é alterado ali; use --api-url, ou defina {variable}.',
  unreachable: '{app} não responde em {url} ({source}): {reason}; confira se está no ar, e o endereço.',
  silent: '{app} não respondeu em {url} ({source}) em {ms} ms; tente de novo, ou aumente GONDOLA_TIMEOUT_MS.',
  silentChange:
    '{app} não respondeu em {url} ({source}) em {ms} ms; a mudança pode ter sido feita ou não: confira antes de repetir.',
  unauthorizedNoToken:
    '{app} em {url} ({source}) exige o token de operação; defina OPERATIONS_TOKEN ou OPERATIONS_TOKEN_FILE.',
  unauthorizedToken: '{app} em {url} ({source}) não aceita este token de operação; confira OPERATIONS_TOKEN.',
  notFound: '{app} em {url} não tem {path}; confira o id com a lista, e o endereço.',
  refused: '{app} recusou ({status} {code}): {message}',
  notUnderstood: '{app} em {url} ({source}) respondeu {status} com algo que não é desta API; confira o endereço.',

  // Answers
  none: 'Nada encontrado.',
  more: 'Há mais: use --limit, ou --before {next} para continuar.',
  bodyWarning: 'Atenção: o conteúdo abaixo pode ter dados pessoais; não o cole em chamados nem em logs.',
  contentHidden: 'O conteúdo não é mostrado sem --body.',
  contentGone: 'O conteúdo não está mais armazenado.',
  contentBinary: 'O conteúdo não é texto; em base64:',
  registerDryRun: 'Nada foi enviado. Um registro nunca pode ser alterado: confira-o, e repita com --confirm.',
  registerBlocked: 'Nada foi enviado, e nada pode ser enviado antes de resolver estes problemas: {problems}.',
  registered:
    'O webhook está registrado. Ele nunca pode ser alterado: mantenha o endereço no ar e o token em webhook.tokens.',
  registeredBefore: 'A plataforma já tem o webhook que foi registrado por aqui antes; nada mudou.',
  registeredProbably:
    'A plataforma já tem um webhook, provavelmente o de uma tentativa daqui cuja resposta se perdeu; se chegarem notificações, é ele.',
  registeredElsewhere:
    'A plataforma já tem um webhook deste tenant, que não foi registrado por aqui; só o suporte dela pode dizer qual é, ou removê-lo.',
  registerRefused: 'A plataforma recusou o registro ({message}); nada foi registrado.',
  registerUnknown:
    'A plataforma não deu uma resposta compreensível: o webhook pode estar registrado ou não; repita, e se ele já existir, provavelmente é este.',
  registerNotSent:
    'Nada chegou à plataforma ({message}); confira o endereço e as credenciais no arquivo de tenants, e repita.',
  registerNone: 'Nenhum webhook foi registrado por aqui.',
  registerEvents: 'Eventos ({count}): {events}',
  registerWarning: 'Atenção: {message}',
  stored: 'A entrada {id} foi entendida e armazenada como notificação.',
  repeated: 'A entrada {id} foi entendida; a notificação já estava armazenada.',
  reprocessDryRun: 'Nada foi lido. {count} entradas abertas seriam lidas de novo: para fazê-lo, repita com --confirm.',
  reprocessedAll:
    '{stored} entradas tornaram-se notificações, {repeated} já estavam armazenadas, {failed} continuam na quarentena.',
  stillQuarantined: 'A entrada {id} continua na quarentena: {reason}.',
  eraseDryRun:
    'Nada foi apagado. O pedido {order} do tenant {tenant} tem {count} notificações com conteúdo, sem contar a quarentena: para apagá-lo, repita com --confirm.',
  masked: 'Os dados pessoais são mostrados só em parte; use --reveal, que fica registrado.',
  revealWarning:
    'Atenção: há dados pessoais na saída, e ficou registrado que foram mostrados; não os cole em chamados.',
  detailsCut: 'A resposta tem mais de 1.000.000 de caracteres; só o começo é mostrado.',
  eraseOrderDryRun:
    'Nada foi apagado. O pedido {order} do tenant {tenant} tem {notifications} notificações com conteúdo e {facts} fatos, além do que não é contado aqui (quarentena, dead letters, comandos, arquivos): para apagá-lo em {apps}, repita com --confirm.',
  erasedPartly:
    'A exclusão está incompleta: {apps} não apagaram os dados. Repita o comando; os dados já apagados continuam apagados.',
  topicsTitle: 'Os tópicos ainda têm cópias, que só o Kafka apaga',
  eraseUserDryRun:
    'Nada foi apagado. O cliente tem {count} pedidos no tenant {tenant}: {orders}. Para apagá-los, junto com as notificações sobre o cliente, repita com --confirm.',
  userErased:
    'Os dados notificados do cliente foram apagados: {notifications} notificações e {quarantined} da quarentena; e {count} pedidos.',
  parkedReleased:
    'Liberados pelo {app}: {count}. Esperam de novo pelo Kafka; um que ele recusa de novo volta a esta lista.',
  parkedDryRun: 'Nada foi alterado. Para enviar estes de novo ao Kafka, repita com --confirm.',
  jobPreview: 'Nada foi alterado. {count} combinam e esperam: para continuar, repita com {flags}.',
  replayStarted:
    'A republicação {id} de {topic} desde {since} roda desde {startedAt}. O andamento: gondola replay show {id} --app {app}',
  jobStarted: 'O trabalho {id} começou, com {count}. O andamento: gondola jobs show {id} --app {app}',
  moreThan: 'mais de {count}',
  partly: 'A lista está incompleta: {apps} não responderam.',

  recoveryBegun:
    'A busca {id} começou e continua sozinha; veja o andamento com gondola orders recoveries {id}. Ela só lê números que nenhuma notificação trouxe. Um pedido já conhecido que perdeu notificações, por exemplo um cancelamento, é relido com gondola orders refresh <número>.',
  fileUnreadable: 'O arquivo {file} não pôde ser lido ({code}).',
  fileWrongByte:
    'O arquivo {file} não está em UTF-8: a linha {line} contém o byte {byte}. Salve-o em UTF-8; nada foi lido dele.',
  fileWindows1252:
    'O arquivo {file} não está em UTF-8 e foi lido como Windows-1252, como o Excel grava CSV; confira os acentos, ou salve-o como "CSV UTF-8".',
  fileTooLarge: 'O arquivo {file} tem mais de {most} bytes; divida-o.',
  fileEmpty: 'O arquivo {file} não tem registros.',
  fileRecordTooLarge: 'O registro da linha {line} de {file} tem mais de {most} bytes; nada foi enviado.',
  loadGoneOn:
    'Isto continua a carga {id} dos mesmos registros, que não terminou e já tinha {taken} deles. Para carregar todos de novo, dê um novo --load-id.',
  loadRepeated:
    '{count} registros não foram enviados: o mesmo recordId já veio antes com o mesmo conteúdo. Uma nova mudança precisa de um novo recordId, mesmo que volte a um valor anterior.',
  loadAgain: 'O mesmo comando, repetido, continua de onde parou.',
  auditGoesOn: 'O fechamento continua sozinho; veja o andamento com gondola audit show {id}.',
  loadGoesOn: 'A carga continua sozinha; veja o andamento com gondola catalog loads {id}.',
  resendOne: 'Escolha o que enviar de novo: --product, --category ou --everything, só um deles.',
  tenantUnclear: 'Diga com --tenant qual loja de {path} vale: {tenants}.',
  tenantWithoutFile: '--tenant diz uma loja de --tenants, que falta.',
  unitUnclear: '"{pair}" deve ser um nome, "=" e um de {units}, por exemplo CX=Un.',
  fileCells: 'O arquivo {file} tem células que não podem ser aceitas; nada foi enviado: {cells}.',
  cellNumber:
    'linha {line}, {column}: "{cell}" não é um número; escreva-o com um só ponto e mais nada, por exemplo 1299.90',
  cellCurrency: 'linha {line}, {column}: "{cell}" tem uma moeda; escreva só o número, por exemplo 1299.90',
  cellContradiction: 'linha {line}, {column}: "{cell}" contradiz "{before}" da linha {lineBefore}, do mesmo registro',
  cellsMore: 'e mais {count}',
  fileNoTable: 'O arquivo {file} não é uma tabela: há aspas abertas, ou uma linha com mais células que o cabeçalho.',
  preflightSummary:
    '{checked} registros: {valid} válidos, {unchanged} sem mudança, {repeated} repetidos, {invalid} inválidos, {unreadable} ilegíveis. Nada foi armazenado nem enviado.',
  preflightWaits: 'Espera por referências que o Gondola ainda não conhece.',
  preflightSlugTwice: 'Outro produto do arquivo tem o mesmo slug.',
  preflightSkuTwice: 'O SKU pertence a outro produto do arquivo.',
  preflightRepeated: 'O arquivo tem um registro anterior deste produto; os dois são enviados, um depois do outro.',
  compareSummary:
    '{compared} produtos: {same} como devem ser, {differs} diferentes, {absent} ausentes da loja, {refused} pelos quais a plataforma não responde, {unreadable} ilegíveis.',
  compareSkus: '{skus} SKUs na loja diferem do que foi publicado; {adopted} produtos foram adotados.',
  compareStopped: 'A plataforma está indisponível ({cause}); {compared} produtos foram comparados.',
  compareGoOn: 'Para continuar: --after {after}',
  compareNoAfter: 'Nenhum registro do arquivo {file} trata de {after}.',
  noPictures: 'Não há foto (.jpg, .jpeg, .png, .webp, .gif) entre os arquivos citados.',
  entityAlone:
    '--entity remove todos os arquivos de uma entidade; não aceita referência, --type, --url nem --storage-id.',
  nothingToRemove: 'Informe o que remover: uma referência com --url ou --storage-id, ou --entity.',
  uploadTokenMissing:
    'Falta o token de upload do tenant para {url}; defina GONDOLA_UPLOAD_TOKEN ou GONDOLA_UPLOAD_TOKEN_FILE.',
  uploadTokenWrong: 'O file-gateway em {url} não aceita este token de upload; confira GONDOLA_UPLOAD_TOKEN.',
  commandOpen: 'O comando ainda não tem resultado e continua sozinho; repita mais tarde, ou dê mais tempo com --wait.',
  pictureUnknown:
    'A foto {path} ficou de fora: o nome não corresponde a nenhum SKU que o Gondola já conheça; informe o SKU com --sku, ou tente mais tarde.',
  pictureClash: 'As fotos do SKU {sku} ficaram de fora, pois duas têm o mesmo número: {paths}.',
  notPictures: '{count} arquivos que não são fotos ficaram de fora.',
  publishStopped: '{count} SKUs não foram alcançados; repita o comando, que não envia de novo o que já foi armazenado.',
  removeDryRun:
    'Nada foi removido. Seriam removidos {count} arquivos ({type}) de {reference}: para isso, repita com --confirm.',
  removeAllDryRun:
    'Nada foi removido. Seriam removidos todos os arquivos de {entity}: para isso, repita com --confirm.',

  // Columns and fields
  colField: 'CAMPO',
  colRecords: 'REGISTROS',
  colReference: 'REFERÊNCIA',
  colId: 'ID',
  colApp: 'APLICATIVO',
  colTenant: 'TENANT',
  colReceived: 'RECEBIDA',
  colEntity: 'ENTIDADE',
  colSubject: 'ASSUNTO',
  colState: 'ESTADO',
  colReason: 'MOTIVO',
  colDetail: 'DETALHE',
  colBytes: 'BYTES',
  colOutcome: 'RESULTADO',
  colUrl: 'ENDEREÇO',
  colFailures: 'FALHAS',
  colOrder: 'PEDIDO',
  colSince: 'DESDE',
  colKind: 'ESPÉCIE',
  colBegan: 'INÍCIO',
  colOpen: 'ABERTOS',
  colPerMinute: 'POR MINUTO',
  colEstimatedEnd: 'FIM ESTIMADO',
  colTime: 'QUANDO',
  colLine: 'LINHA',
  colSku: 'SKU',
  colCommand: 'COMANDO',
  colAttempts: 'TENTATIVAS',
  colTopic: 'TÓPICO',
  colUntil: 'ATÉ',
} as const;
