import type { PT_BR } from './pt-br.ts';

/** The texts of `pt-br.ts` in English. */
export const EN: Readonly<Record<keyof typeof PT_BR, string>> = {
  // Help
  program: 'The command line of Gondola, over the operations APIs of its apps.',
  usageOptions: '[options]',
  usageCommand: '<command>',
  titleUsage: 'Usage:',
  titleOptions: 'Options:',
  titleGlobalOptions: 'Options of every command:',
  titleCommands: 'Commands:',
  titleExamples: 'Examples:',
  helpExits: `Exit codes:
  0  done (or shown what would be done)
  1  the app refused, or it could not be done
  2  wrong usage; nothing was called
  3  the app does not answer
  4  the operations token is missing or wrong`,
  helpEnvironment: `Environment:
  OPERATIONS_TOKEN, OPERATIONS_TOKEN_FILE  the operations token, or the file that holds it
  GONDOLA_WEBHOOK_INGEST_URL, GONDOLA_CATALOG_PUBLISHER_URL,
  GONDOLA_ORDER_COMMAND_HANDLER_URL, GONDOLA_FILE_GATEWAY_URL
                                           where each app is; else .gondola/run.json, else 127.0.0.1
  GONDOLA_TIMEOUT_MS                       longest wait for an answer, in milliseconds`,
  orders: 'The orders, as order-command-handler knows them',
  ordersList: 'Lists orders, newest first, without personal data',
  ordersShow: 'Shows an order and all that happened to it, in order of time',
  commands: 'The order commands of the ERP',
  commandsShow: 'Shows what became of a command, or what it waits for',
  commandsWithdraw: 'Asks for the withdrawal of a command, as the ERP would',
  webhook: 'The registration of the webhook at the platform',
  webhookRegister: 'Registers the webhook of a tenant; without --confirm only shows what would be registered',
  webhookStatus: 'Shows what was registered',
  notifications: 'The notifications of the platform, stored by webhook-ingest',
  notificationsList: 'Lists notifications, newest first, without content',
  notificationsShow: 'Shows a notification',
  notificationsQuarantine: 'Lists what was received and not understood, or shows one entry',
  notificationsReprocess: 'Reads an entry of the quarantine again, after a fix',
  notificationsDiscard: 'Discards an entry of the quarantine, with a note that is stored',
  notificationsErase: 'Erases the stored content of an order; without --confirm only shows what would be erased',
  deadLetters: 'The records that an app could not handle',
  deadLettersList: 'Lists the dead letters of all apps, newest first',
  deadLettersShow: 'Shows a dead letter',
  deadLettersRedrive: 'Sends the original record again, byte for byte, to the group that failed alone',
  optTenant: 'tenant',
  optWebhookUrl: 'public address (https) of the webhook, as the platform will call it',
  optConfirm: 'does it; without it nothing changes',
  optOrder: 'order number',
  optOperation: 'operationId of the platform',
  optEvent: 'eventType, for example Order_Updated',
  optEntity: 'relatedEntity, for example Order',
  optState: 'state: {states}',
  optReason: 'reason, for example NOT_JSON',
  optLimit: 'how many at most (default 50)',
  optBefore: 'only those before this id',
  optBody: 'also shows the content, which may hold personal data',
  optNote: 'why it is discarded',
  optStatus: 'code of the status, for example 400',
  optOlderThan: 'only those that have been in their status for so long: 90m, 2h, 3d',
  optReveal: 'shows personal data as they are; this is recorded',
  optApp: 'app: {apps}',
  optLang: 'language: pt-BR or en (default: LC_ALL, LANG, else pt-BR)',
  optJson: 'one JSON document on standard output, and nothing else',
  optApiUrl: 'address of the app',
  optHelp: 'shows this help',

  // Wrong usage
  unknownCommand: 'There is no command {name}; see gondola --help.',
  missingCommand: 'The command is missing; see {command} --help.',
  unknownOption: 'There is no option {name} in this command; see --help.',
  missingArgument: '{name} is missing; see --help.',
  missingValue: 'The option {option} needs a value.',
  missingOption: 'The option {option} is missing.',
  tooManyArguments: 'There are too many arguments; values with spaces need quotes.',
  wrongUsage: 'The command line is wrong ({detail}); see --help.',
  notAChoice: '{option} cannot be "{value}"; values: {choices}.',
  notALimit: '{option} cannot be "{value}"; it must be a whole number from 1 to {most}.',
  notAnOrderNumber: '{option} cannot be "{value}"; it must be an order number, digits only.',
  notWhole: '{option} cannot be "{value}"; it must be a whole number.',
  notADuration: '{option} cannot be "{value}"; it must be like 90m, 2h or 3d.',
  empty: '{option} cannot be empty.',
  notAnUrl: '{option} cannot be "{value}"; it must be an address such as https://loja.example.com/webhooks/platform.',
  idWithFilters: 'With an id, {option} filters nothing; use one or the other.',
  bodyWithoutId: '--body shows the content of one entry only; give its id.',
  apiUrlWithoutApp: '--api-url is the address of one app only; say which with --app.',
  addressNoUrl: '{source} is no http:// or https:// address; it must be such as http://127.0.0.1:{port}.',
  addressHasCredentials: '{source} has a user or password in its address; use OPERATIONS_TOKEN.',
  addressNotLocal: '{source} points away from this machine, and the token would go there; use --api-url or {variable}.',
  tokenTwice: 'OPERATIONS_TOKEN and OPERATIONS_TOKEN_FILE are both set; leave only one.',
  tokenUnreadable: 'The file of OPERATIONS_TOKEN_FILE cannot be read ({code}); it must be a file that holds the token.',
  tokenNotUsable: '{source} must hold one token: visible characters, without spaces between.',
  notATimeout: 'GONDOLA_TIMEOUT_MS cannot be "{value}"; it must be a number of milliseconds from 1 to {most}.',

  // Where an address comes from
  sourceDefault: 'default port',

  guessed:
    'The address of {app} is a guess: {url} ({source}), since there is no --api-url, no {variable}, and no .gondola/run.json of this user, written by npm start, in this folder or above.',

  // Failed calls
  guessedChange:
    'Nothing was called: {app} at {url} ({source}) is only a guess, and nothing is changed there; use --api-url, or set {variable}.',
  unreachable: '{app} does not answer at {url} ({source}): {reason}; check that it runs, and the address.',
  silent: '{app} did not answer at {url} ({source}) within {ms} ms; try again, or raise GONDOLA_TIMEOUT_MS.',
  silentChange:
    '{app} did not answer at {url} ({source}) within {ms} ms; it may or may not have done what was asked: check before you repeat it.',
  unauthorizedNoToken:
    '{app} at {url} ({source}) asks for the operations token; set OPERATIONS_TOKEN or OPERATIONS_TOKEN_FILE.',
  unauthorizedToken: '{app} at {url} ({source}) does not take this operations token; check OPERATIONS_TOKEN.',
  notFound: '{app} at {url} does not have {path}; check the id with the list, and the address.',
  refused: '{app} refused ({status} {code}): {message}',
  notUnderstood:
    '{app} at {url} ({source}) answered {status} with something that is not of this API; check the address.',

  // Answers
  none: 'Nothing found.',
  more: 'There is more: use --limit, or --before {next} to go on.',
  moreLimit: 'There is more: use --limit.',
  bodyWarning: 'Careful: the content below may hold personal data; do not paste it into tickets or logs.',
  contentHidden: 'The content is not shown without --body.',
  contentGone: 'The content is no longer stored.',
  contentBinary: 'The content is no text; in base64:',
  registerDryRun: 'Nothing was sent. A registration can never be changed: check it, and repeat with --confirm.',
  registerBlocked: 'Nothing was sent, and nothing can be until this is put right: {problems}.',
  registered:
    'The webhook is registered. It can never be changed: keep its address reachable and its token in webhook.tokens.',
  registeredBefore: 'The platform has the webhook that was registered here before; nothing was changed.',
  registeredProbably:
    'The platform has a webhook already, probably the one of an attempt from here whose answer was lost; if notifications arrive, it is.',
  registeredElsewhere:
    'The platform has a webhook of this tenant already, which was not registered here; only its support can say which, or remove it.',
  registerRefused: 'The platform refused the registration ({message}); nothing is registered.',
  registerUnknown:
    'The platform gave no answer that can be understood: it may be registered or not; repeat it, and if it then exists, it is probably this one.',
  registerNotSent:
    'Nothing reached the platform ({message}); check its address and the credentials in the tenants file, and repeat.',
  registerNone: 'No webhook was ever registered from here.',
  registerEvents: 'Events ({count}): {events}',
  registerWarning: 'Careful: {message}',
  stored: 'Entry {id} was understood and stored as a notification.',
  repeated: 'Entry {id} was understood; the notification was stored already.',
  stillQuarantined: 'Entry {id} stays in quarantine: {reason}.',
  erased:
    'The stored content of order {order} of tenant {tenant} is erased: {notifications} notifications and {quarantined} in quarantine; {waiting} will be erased once they are sent.',
  eraseDryRun:
    'Nothing was erased. Order {order} of tenant {tenant} has {count} notifications with content, not counting the quarantine: to erase it, repeat with --confirm.',
  masked: 'Personal data is shown in part only; use --reveal, which is recorded.',
  revealWarning:
    'Careful: the output holds personal data, and it is recorded that they were shown; do not paste them into tickets.',
  withdrawalAsked:
    'The withdrawal of {id} is asked for by command {by}; whether it was in time, its result says: gondola commands show {by}',
  itemsTitle: 'Items',
  openCommandsTitle: 'Open commands',
  timelineTitle: 'What happened',
  discarded: 'Entry {id} was discarded.',
  redriven: 'The record was sent again, to {app} alone (time {times}).',
  partly: 'The list is incomplete: {apps} did not answer.',

  // Columns and fields
  colId: 'ID',
  colApp: 'APP',
  colTenant: 'TENANT',
  colReceived: 'RECEIVED',
  colEvent: 'EVENT',
  colEntity: 'ENTITY',
  colSubject: 'SUBJECT',
  colState: 'STATE',
  colReason: 'REASON',
  colDetail: 'DETAIL',
  colBytes: 'BYTES',
  colDeadAt: 'SINCE',
  colStarted: 'ATTEMPT',
  colOutcome: 'OUTCOME',
  colUrl: 'ADDRESS',
  colMessage: 'PLATFORM ANSWERED',
  colRedriven: 'REDRIVEN',
  colOrder: 'ORDER',
  colStatus: 'STATUS',
  colSince: 'SINCE',
  colRevision: 'REVISION',
  colTime: 'TIME',
  colWhat: 'WHAT',
  colLine: 'LINE',
  colSku: 'SKU',
  colName: 'NAME',
  colQuantity: 'QUANTITY',
  colUnit: 'UNIT',
  colNet: 'NET',
  colCommand: 'COMMAND',
  colAttempts: 'ATTEMPTS',
  colWaits: 'WAITS FOR',
  headersTitle: 'Headers',
  keyTitle: 'Key',
  valueTitle: 'Value',
};
