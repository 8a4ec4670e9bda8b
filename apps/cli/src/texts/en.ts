import type { PT_BR } from './pt-br.ts';

/** The texts of `pt-br.ts` in English. */
export const EN: Readonly<Record<keyof typeof PT_BR, string>> = {
  // Help
  program: 'The command line of Gondola. It uses the operations APIs of the apps.',
  usageOptions: '[options]',
  usageCommand: '<command>',
  titleUsage: 'Usage:',
  titleOptions: 'Options:',
  titleGlobalOptions: 'Options of every command:',
  titleCommands: 'Commands:',
  titleExamples: 'Examples:',
  helpExits: `Exit codes:
  0  done (or the plan was shown)
  1  the app refused, or the command failed
  2  wrong usage; nothing was called
  3  the app does not answer
  4  the operations token is missing or wrong`,
  helpEnvironment: `Environment:
  OPERATIONS_TOKEN, OPERATIONS_TOKEN_FILE  the operations token, or the file that holds it
  GONDOLA_WEBHOOK_INGEST_URL, GONDOLA_CATALOG_PUBLISHER_URL,
  GONDOLA_ORDER_COMMAND_HANDLER_URL, GONDOLA_FILE_GATEWAY_URL, GONDOLA_CONSOLE_URL
                                           address of each app; else .gondola/run.json, else 127.0.0.1
  GONDOLA_UPLOAD_TOKEN, GONDOLA_UPLOAD_TOKEN_FILE
                                           the tenant’s upload token for files upload and publish, or its file
  GONDOLA_UPLOADS_URL                      address of /uploads, if it differs from that of file-gateway
  GONDOLA_PLATFORM_PASSWORD, GONDOLA_WEBHOOK_TOKEN, GONDOLA_OTHER_WEBHOOK_TOKEN, KAFKA_…
                                           what the commands of conformance need
  GONDOLA_TIMEOUT_MS                       longest wait for an answer, in milliseconds`,
  languageTag: 'en',
  catalog: 'The catalog of catalog-publisher',
  records: 'Records of an ERP, without any app',
  sharedNotBuilt: 'The code that checks records is not built yet: run npm run build once.',
  files: 'Contents for file-gateway, and the files that the platform shows',
  orders: 'The orders of order-command-handler',
  audit: 'The month-end audit: orders at the shop, as published, and as the ERP has them',
  commands: 'The order commands of the ERP',
  webhook: 'The registration of the webhook at the platform',
  notifications: 'The notifications of the platform, stored by webhook-ingest',
  deadLetters: 'The records that an app could not handle',
  parked: 'The records that Kafka does not accept as they are',
  replay: 'Records that are published again, for an ERP that lost them',
  jobs: 'Actions on many dead letters, or entries of the quarantine, at once',
  mirror: 'The other receiver of a tenant’s notifications',
  pauses: 'Pauses of the calls to the platform',
  console: 'The operators’ console',
  consoleSessions: 'Who is signed in to the console',
  stuck: 'Orders, products and others whose steps fail again and again',
  conformance: 'Checks a platform, a receiver of webhooks or an ERP of others',
  shadow: 'The comparison of shops in shadow (mode: shadow) with what another connector does',
  erase: 'Erases personal data in every app that stores personal data',
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
  notADuration: '{option} cannot be "{value}"; it must be like 30s, 90m, 2h or 3d.',
  notLike: '{option} cannot be "{value}"; it must be like {right}.',
  notWritable: '--junit cannot be written: {path} ({code}).',
  secretMissing: '{variable} is missing, or {variable}_FILE with its file.',
  notAnswering: '{url} does not answer ({code}); check the address.',
  loginRefused: '{url} refuses --account, --user or the password (HTTP {status}); nothing was checked.',
  notListening: '--listen cannot use {address} ({code}).',
  groupAway: 'No member of the group {group} reads {topic}; start the ERP with this prefix and this group.',
  planPlatform:
    'Creates brands, categories and products for tests at {url}, which cannot be deleted, and with --listen the webhook of the shop; repeat with --confirm.',
  planReceiver:
    'Delivers some 50 notifications to {url}, good and hostile, about the order 990000001; repeat with --confirm.',
  planErp:
    'Creates the missing topics {prefix}erp.…, publishes events and results for tests, and reads what the ERP writes; repeat with --confirm.',
  notAnEmail: '{option} must be an e-mail.',
  apiUrlOfSeveral:
    '--api-url is the address of one app, and this command calls several; use the variables GONDOLA_…_URL.',
  empty: '{option} cannot be empty.',
  notAnUrl: '{option} cannot be "{value}"; it must be an address such as https://loja.example.com/webhooks/platform.',
  idWithFilters: 'With an id, {option} filters nothing; use one or the other.',
  bodyWithoutId: '--body shows the content of one entry only; give its id.',
  apiUrlWithoutApp: '--api-url is the address of one app only; say which with --app.',
  addressNoUrl: '{source} is no http:// or https:// address; it must be such as http://127.0.0.1:{port}.',
  addressHasCredentials: '{source} has a user or password in its address; use OPERATIONS_TOKEN.',
  addressNotLocal: '{source} points away from this machine, and the token would go there; use --api-url or {variable}.',
  tokenTwice: '{variable} and {variable}_FILE are both set; leave only one.',
  tokenUnreadable: 'The file of {variable}_FILE cannot be read ({code}); it must be a file that holds the token.',
  tokenNotUsable: '{source} must hold one token: visible characters, without spaces between.',
  notATimeout: 'GONDOLA_TIMEOUT_MS cannot be "{value}"; it must be a number of milliseconds from 1 to {most}.',

  // Origin of an address
  sourceDefault: 'default port',

  guessed:
    'The address of {app} is a guess: {url} ({source}), since there is no --api-url, no {variable}, and no .gondola/run.json of this user, written by npm start, in this folder or above.',

  // Failed calls
  guessedChange:
    'Nothing was called: {app} at {url} ({source}) is only a guess, and nothing is changed there; use --api-url, or set {variable}.',
  unreachable: '{app} does not answer at {url} ({source}): {reason}; check that it runs, and the address.',
  silent: '{app} did not answer at {url} ({source}) within {ms} ms; try again, or raise GONDOLA_TIMEOUT_MS.',
  silentChange:
    '{app} did not answer at {url} ({source}) within {ms} ms; the change may have been made or not: check before you repeat it.',
  unauthorizedNoToken:
    '{app} at {url} ({source}) requires the operations token; set OPERATIONS_TOKEN or OPERATIONS_TOKEN_FILE.',
  unauthorizedToken: '{app} at {url} ({source}) does not accept this operations token; check OPERATIONS_TOKEN.',
  notFound: '{app} at {url} does not have {path}; check the id with the list, and the address.',
  refused: '{app} refused ({status} {code}): {message}',
  notUnderstood:
    '{app} at {url} ({source}) answered {status} with something that is not of this API; check the address.',

  // Answers
  none: 'Nothing found.',
  more: 'There is more: use --limit, or --before {next} to continue.',
  bodyWarning: 'Careful: the content below may hold personal data; do not paste it into tickets or logs.',
  contentHidden: 'The content is not shown without --body.',
  contentGone: 'The content is no longer stored.',
  contentBinary: 'The content is no text; in base64:',
  registerDryRun: 'Nothing was sent. A registration can never be changed: check it, and repeat with --confirm.',
  registerBlocked: 'Nothing was sent, and nothing can be sent until these problems are solved: {problems}.',
  registered:
    'The webhook is registered. It can never be changed: its address must stay reachable and its token must stay in webhook.tokens.',
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
  reprocessDryRun: 'Nothing was read. {count} open entries would be read again: to do so, repeat with --confirm.',
  reprocessedAll: '{stored} entries became notifications, {repeated} were stored already, {failed} stay in quarantine.',
  stillQuarantined: 'Entry {id} stays in quarantine: {reason}.',
  eraseDryRun:
    'Nothing was erased. Order {order} of tenant {tenant} has {count} notifications with content, not counting the quarantine: to erase it, repeat with --confirm.',
  masked: 'Personal data is shown in part only; use --reveal, which is recorded.',
  revealWarning:
    'Careful: the output holds personal data, and it is recorded that they were shown; do not paste them into tickets.',
  detailsCut: 'The answer is longer than 1,000,000 characters; only its beginning is shown.',
  eraseOrderDryRun:
    'Nothing was erased. Of order {order} of tenant {tenant} there are {notifications} notifications with content and {facts} facts, beside what is not counted here (quarantine, dead letters, commands, files): to erase it in {apps}, repeat with --confirm.',
  erasedPartly:
    'The erasure is incomplete: {apps} did not erase the data. Repeat the command; erased data stay erased.',
  topicsTitle: 'Topics still have copies, which only Kafka deletes',
  eraseUserDryRun:
    'Nothing was erased. The shopper has {count} orders in tenant {tenant}: {orders}. To erase them, with what was notified of the shopper, repeat with --confirm.',
  userErased:
    'What was notified of the shopper is erased: {notifications} notifications and {quarantined} in quarantine; and {count} orders.',
  parkedReleased: 'Released by {app}: {count}. They wait for Kafka again; one that it refuses again is parked again.',
  parkedDryRun: 'Nothing was changed. To send these to Kafka again, repeat with --confirm.',
  jobPreview: 'Nothing was changed. {count} match and wait: to go on, repeat with {flags}.',
  replayStarted:
    'Replay {id} of {topic} from {since} on runs since {startedAt}. Its progress: gondola replay show {id} --app {app}',
  jobStarted: 'Job {id} has begun, on {count}. Its progress: gondola jobs show {id} --app {app}',
  moreThan: 'more than {count}',
  partly: 'The list is incomplete: {apps} did not answer.',

  recoveryBegun:
    'Search {id} has begun and continues by itself; see its progress with gondola orders recoveries {id}. It only reads numbers that no notification named. A known order that lost notifications, such as a cancellation, is read anew with gondola orders refresh <number>.',
  fileUnreadable: 'The file {file} could not be read ({code}).',
  fileWrongByte:
    'The file {file} is not UTF-8: line {line} contains the byte {byte}. Save it as UTF-8; nothing was read from it.',
  fileWindows1252:
    'The file {file} is not UTF-8 and was read as Windows-1252, as Excel writes CSV files; check its accents, or save it as "CSV UTF-8".',
  fileTooLarge: 'The file {file} is larger than {most} bytes; split it.',
  fileEmpty: 'The file {file} has no records.',
  fileRecordTooLarge: 'The record at line {line} of {file} is larger than {most} bytes; nothing was sent.',
  loadGoneOn:
    'This goes on with load {id} of the same records, which has not ended and had {taken} of them. To load all of them anew, give a new --load-id.',
  loadRepeated:
    '{count} records were not sent: the same recordId came before with the same content. A new change needs a new recordId, also one back to a former value.',
  loadAgain: 'The same command continues where it stopped.',
  auditGoesOn: 'The audit continues by itself; see its progress with gondola audit show {id}.',
  loadGoesOn: 'The load continues by itself; see its progress with gondola catalog loads {id}.',
  resendOne: 'Choose what to send again: --product, --category or --everything, and only one of them.',
  tenantUnclear: 'Say with --tenant which tenant of {path} is meant: {tenants}.',
  tenantWithoutFile: '--tenant names a tenant of --tenants, which is missing.',
  unitUnclear: '"{pair}" must be a name, "=" and one of {units}, such as CX=Un.',
  fileCells: 'The file {file} has cells that cannot be taken; nothing was sent: {cells}.',
  cellNumber: 'line {line}, {column}: "{cell}" is no number; write it with one point and nothing else, such as 1299.90',
  cellCurrency: 'line {line}, {column}: "{cell}" has a currency; write only the number, such as 1299.90',
  cellContradiction: 'line {line}, {column}: "{cell}" contradicts "{before}" in line {lineBefore} of the same record',
  cellsMore: 'and {count} more',
  fileNoTable: 'The file {file} is no table: a quote is not closed, or a row has more cells than the header.',
  preflightSummary:
    '{checked} records: {valid} valid, {unchanged} unchanged, {repeated} repeated, {invalid} invalid, {unreadable} unreadable. Nothing was stored or sent.',
  preflightWaits: 'Waits for references that Gondola does not know yet.',
  preflightSlugTwice: 'Another product of the file has the same slug.',
  preflightSkuTwice: 'The SKU belongs to another product of the file.',
  preflightRepeated: 'The file has an earlier record of this product; both are sent, one after the other.',
  compareSummary:
    '{compared} products: {same} as they should be, {differs} different, {absent} not in the shop, {refused} that the platform does not answer for, {unreadable} unreadable.',
  compareSkus: '{skus} SKUs differ between the shop and what was published; {adopted} products were adopted.',
  compareStopped: 'The platform is away ({cause}); {compared} products were compared.',
  compareGoOn: 'To continue: --after {after}',
  compareNoAfter: 'No record of the file {file} is about {after}.',
  noPictures: 'There is no picture (.jpg, .jpeg, .png, .webp, .gif) among the named files.',
  entityAlone: '--entity removes all files of an entity; it takes no reference, --type, --url or --storage-id.',
  nothingToRemove: 'Say what to remove: a reference with --url or --storage-id, or --entity.',
  uploadTokenMissing:
    'The upload token of the tenant is missing for {url}; set GONDOLA_UPLOAD_TOKEN or GONDOLA_UPLOAD_TOKEN_FILE.',
  uploadTokenWrong: 'file-gateway at {url} does not accept this upload token; check GONDOLA_UPLOAD_TOKEN.',
  commandOpen: 'The command has no outcome yet and continues by itself; repeat later, or give --wait more time.',
  pictureUnknown:
    'The picture {path} was left out: its name matches no SKU that Gondola knows yet; name the SKU with --sku, or try later.',
  pictureClash: 'The pictures of SKU {sku} were left out, since two have the same number: {paths}.',
  notPictures: '{count} files that are no pictures were left out.',
  publishStopped: '{count} SKUs were not reached; repeat the command, which sends no stored content again.',
  removeDryRun:
    'Nothing was removed. It would remove {count} files ({type}) of {reference}: to do it, repeat with --confirm.',
  removeAllDryRun: 'Nothing was removed. It would remove all files of {entity}: to do it, repeat with --confirm.',

  // Columns and fields
  colField: 'FIELD',
  colRecords: 'RECORDS',
  colReference: 'REFERENCE',
  colId: 'ID',
  colApp: 'APP',
  colTenant: 'TENANT',
  colReceived: 'RECEIVED',
  colEntity: 'ENTITY',
  colSubject: 'SUBJECT',
  colState: 'STATE',
  colReason: 'REASON',
  colDetail: 'DETAIL',
  colBytes: 'BYTES',
  colOutcome: 'OUTCOME',
  colUrl: 'ADDRESS',
  colFailures: 'FAILURES',
  colOrder: 'ORDER',
  colSince: 'SINCE',
  colKind: 'KIND',
  colBegan: 'BEGAN',
  colOpen: 'OPEN',
  colPerMinute: 'PER MINUTE',
  colEstimatedEnd: 'ESTIMATED END',
  colTime: 'TIME',
  colLine: 'LINE',
  colSku: 'SKU',
  colCommand: 'COMMAND',
  colAttempts: 'ATTEMPTS',
  colTopic: 'TOPIC',
  colUntil: 'UNTIL',
};
