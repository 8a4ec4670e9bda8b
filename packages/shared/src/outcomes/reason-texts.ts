/**
 * The closed list of reason codes of results, warnings, dead letters and the quarantine, each with its sentence in
 * Brazilian Portuguese. A code is never renamed. A part in square brackets is left out if one of its parameters is
 * missing.
 */
export const REASON_TEXTS_PT = {
  ORDER_UNKNOWN: 'O pedido[ {given}] não é conhecido. Confira o número; um pedido só existe aqui depois de pago.',
  NOT_PAID: 'O pagamento do pedido ainda não foi aprovado. Espere o evento OrderApproved.',
  STATUS_NOT_SETTABLE: 'O status atual do pedido ({status}) não permite esta mudança.',
  ORDER_CANCELLED: 'O pedido está cancelado, em cancelamento ou devolvido. Pare o trabalho nele.',
  PRICE_MISMATCH: 'O valor {given} difere do valor final do pedido, {expected}.',
  PRICE_ROUNDED: 'O valor final do pedido, {expected}, tem frações de centavo; foi registrado {given}.',
  PRICE_UNKNOWN: 'O valor final do pedido não é conhecido e não pôde ser conferido.',
  ACCESS_KEY_MISMATCH:
    'O campo "{field}" é {given}, mas a chave de acesso da NF-e diz {expected}. Confira a chave e os dados da nota.',
  TOO_MANY_DECIMALS: 'O valor[ {given}] tem mais de duas casas decimais. Arredonde-o no ERP.',
  PDF_MISSING: 'A nota fiscal foi registrada sem o PDF.',
  PDF_UNCONFIRMED:
    'O envio do PDF não foi confirmado, e a plataforma não mostra se ele chegou. Confira com ReadInvoice; se faltar, envie-o com AttachInvoicePdf.',
  REGISTRATION_MISSING:
    'O PDF foi anexado, mas a plataforma não mostra uma nota fiscal registrada no pedido. Registre-a com RegisterInvoice.',
  INVOICE_UNNAMED:
    'A plataforma mostra uma nota fiscal registrada no pedido, mas não qual. Confira na loja qual nota o pedido tem.',
  OTHER_IMAGES:
    'A loja mostra também outras imagens ({count}), que podem estar no lugar das enviadas; "data" diz quais. Um envio com "replace": true deixa só as suas.',
  PDF_DAMAGED: 'O PDF parece danificado, e talvez não abra para o cliente. Gere-o de novo no ERP.',
  PDF_ENCRYPTED: 'O PDF está protegido, e talvez não abra para o cliente. Gere-o sem senha no ERP.',
  PDF_SURROUNDED:
    'Antes ou depois do PDF há bytes que não são dele, como os de uma impressão ou de um e-mail. Quase todo leitor os ignora. Envie o PDF sem eles.',
  ALREADY_SENT: 'O comando[ {given}] já foi enviado e não pode mais ser retirado. Espere o resultado dele.',
  NOT_PDF: 'O conteúdo não é um PDF válido.',
  NOT_IMAGE: 'O conteúdo não é uma imagem válida.',
  UPLOAD_UNKNOWN:
    'O conteúdo enviado[ {given}] não existe ou já expirou. Envie o arquivo de novo e use o novo uploadId.',
  CONTENT_NOT_ALLOWED: 'O conteúdo é proibido, inacessível ou grande demais.',
  CONFIRM_REQUIRED: 'Esta operação exige "confirm": true.',
  FIELD_UNKNOWN: 'O campo "{field}" não é conhecido.',
  FIELD_REQUIRED: 'O campo "{field}" é obrigatório.',
  FIELD_TYPE: 'O campo "{field}" deve ser {expected}[; veio {given}].',
  FIELD_READ_ONLY: 'O campo "{field}" é somente de leitura e não foi enviado.',
  DEFAULT_APPLIED: 'Preenchido pela configuração da loja: {field}.',
  FIELDS_CLEARED:
    'Vieram nulos e ficam vazios na loja: {field}. Se não é essa a intenção, deixe-os fora do registro, ou envie o valor.',
  BROUGHT_BACK:
    'O produto tinha sido apagado e veio de novo inteiro: volta à loja com "{field}": true. Se não é essa a intenção, envie "{field}": false.',
  STAYS_HIDDEN:
    'O que o registro traz está fora da loja e continua assim. Para que volte, envie "{field}": true, ou op "activate".',
  BLANKS_REMOVED: 'Espaços antes ou depois de um código não contam e foram retirados: {field}.',
  LIMIT: 'O campo "{field}" deve {limit}[; veio {given}].',
  NOT_LISTED: 'E mais {count}, que não estão na lista.',
  NAMES_CONTRADICT:
    'O registro diz de duas formas a que se refere: "{field}" é {given}, mas "{other}" é {expected}. Envie um só dos dois, ou o mesmo nos dois.',
  UNIT_UNKNOWN:
    'A unidade de medida[ {given}] não é conhecida. Envie uma das conhecidas, ou peça que a sua seja configurada.',
  GTIN_INVALID:
    'O código de barras[ {given}] em "{field}" não é um GTIN válido e não identifica o SKU. Confira os dígitos, ou envie "SEM GTIN" se o produto não tem um.',
  NCM_INVALID: 'O NCM[ {given}] deve ter oito dígitos; a plataforma só acusa o erro na emissão da nota fiscal.',
  FACTOR_MISSING:
    'Um item vendido por peso sem "arithmeticFactor" não tem o passo da venda (por exemplo 0.1 para passos de 100 g).',
  CATEGORY_MISSING: 'Sem categoria o produto não aparece no menu: só é encontrado pela busca.',
  SKU_UNKNOWN: 'O SKU[ {given}] não é conhecido. Confira a referência, e se o SKU está no pedido ou no catálogo.',
  SKU_AMBIGUOUS: 'A referência[ {given}] indica mais de um SKU ou item. Use-a uma só vez, ou diga qual item em "line".',
  LINE_REQUIRED:
    'A plataforma só reconhece o item pelo SKU[ {given}], que está em mais de um item do pedido, e os valores atuais não são todos conhecidos. Informe também o item[ {lines}], com "line", quantidade, preço e total.',
  NOTHING_PICKED: 'Todos os itens do pedido faltam. Cancele o pedido com CancelOrder.',
  REFERENCE_MISSING:
    'A referência[ {given}] não é conhecida, ou não ficou conhecida dentro do prazo. Envie antes o registro dela.',
  REFERENCE_IMMUTABLE:
    'A referência[ {given}] do SKU não pode mudar nem passar para outro produto. Mantenha a anterior.',
  REFERENCE_AMBIGUOUS: 'A referência[ {given}] ocorre duas vezes, ou contradiz o seu lugar na árvore.',
  REFERENCE_IN_USE:
    'Ainda existem produtos que usam a referência[ {given}]. Mude-os antes, ou envie com "force": true.',
  REFERENCE_CYCLE: 'As referências formam um ciclo[ que passa por {given}]. Corrija a categoria superior.',
  SLUG_TAKEN: 'O slug[ {given}] já pertence a outro produto. Envie outro.',
  STALE_VERSION: 'A versão {given} é menor que a última recebida, {latest}. Envie uma maior.',
  DUPLICATE_COMMAND: 'O identificador[ {given}] já foi usado com outro conteúdo. Dê um novo a cada conteúdo novo.',
  COMMAND_UNKNOWN: 'O comando[ {given}] não é conhecido ou se refere a algo que não existe.',
  TENANT_UNKNOWN: 'A loja (tenant) não foi informada, não é conhecida ou difere entre cabeçalho e campo.',
  TENANT_MISMATCH: 'O contractAccountId não é o da loja (tenant) autenticada.',
  ENTITY_UNKNOWN: 'O tipo de entidade não é conhecido.',
  NOT_JSON: 'O conteúdo não é um objeto JSON válido.',
  IDENTITY_MISSING: 'Falta a identificação do registro, ou ela não é um texto utilizável.',
  RECORD_TOO_LARGE: 'O registro é grande demais.',
  BATCH_UNREADABLE: 'Um lote de registros do Kafka não pôde ser lido.',
  RESULT_CUT: 'O resultado era grande demais para o tópico, e isto foi encurtado ou deixado de fora: {field}.',
  BODY_TOO_LARGE: 'O corpo da requisição é grande demais.',
  PROCESSING_FAILED: 'O registro não pôde ser processado por uma falha interna.',
  PLATFORM_REFUSED: 'A plataforma recusou a operação.',
  PLATFORM_SILENT: 'A plataforma não confirmou a operação dentro do prazo.',
  PLATFORM_UNREADABLE:
    'A plataforma não respondeu à leitura dentro do prazo, e nada foi alterado. Envie o comando de novo com outro identificador.',
} as const;

/** The sentences in English. A code without one does not compile. */
export const REASON_TEXTS_EN = {
  ORDER_UNKNOWN: 'The order[ {given}] is not known. Check its number; an order exists here only once it is paid.',
  NOT_PAID: 'The payment of the order is not approved yet. Wait for the event OrderApproved.',
  STATUS_NOT_SETTABLE: 'The present status of the order ({status}) does not allow this change.',
  ORDER_CANCELLED: 'The order is cancelled, being cancelled or returned. Stop the work on it.',
  PRICE_MISMATCH: 'The value {given} differs from the final value of the order, {expected}.',
  PRICE_ROUNDED: 'The final value of the order, {expected}, has fractions of a cent; {given} was registered.',
  PRICE_UNKNOWN: 'The final value of the order is not known and could not be checked.',
  ACCESS_KEY_MISMATCH:
    'The field "{field}" is {given}, but the access key of the NF-e says {expected}. Check the key and the data of the invoice.',
  TOO_MANY_DECIMALS: 'The value[ {given}] has more than two decimals. Round it in the ERP.',
  PDF_MISSING: 'The invoice was registered without its PDF.',
  PDF_UNCONFIRMED:
    'The upload of the PDF was not confirmed, and the platform does not show whether it arrived. Check with ReadInvoice; if it is missing, send it with AttachInvoicePdf.',
  REGISTRATION_MISSING:
    'The PDF was attached, but the platform shows no registered invoice of the order. Register it with RegisterInvoice.',
  INVOICE_UNNAMED:
    'The platform shows a registered invoice of the order, but not which. Check in the shop which invoice the order has.',
  OTHER_IMAGES:
    'The shop shows other images, too ({count}), which may take the place of those sent; "data" says which. With "replace": true only yours stay.',
  PDF_DAMAGED: 'The PDF seems to be damaged and may not open for the customer. Make it again in the ERP.',
  PDF_ENCRYPTED: 'The PDF is protected and may not open for the customer. Make it without a password in the ERP.',
  PDF_SURROUNDED:
    'Before or behind the PDF are bytes that are not its own, such as those of a print job or a mail. Most viewers ignore them. Send the PDF without them.',
  ALREADY_SENT: 'The command[ {given}] was sent already and cannot be taken back. Wait for its result.',
  NOT_PDF: 'The content is not a valid PDF.',
  NOT_IMAGE: 'The content is not a valid image.',
  UPLOAD_UNKNOWN:
    'The uploaded content[ {given}] does not exist or has expired. Upload the file again and use its new uploadId.',
  CONTENT_NOT_ALLOWED: 'The content is forbidden, unreachable or too large.',
  CONFIRM_REQUIRED: 'This operation needs "confirm": true.',
  FIELD_UNKNOWN: 'The field "{field}" is not known.',
  FIELD_REQUIRED: 'The field "{field}" is required.',
  FIELD_TYPE: 'The field "{field}" must be {expected}[; it is {given}].',
  FIELD_READ_ONLY: 'The field "{field}" is read-only and was not sent.',
  DEFAULT_APPLIED: "Filled from the tenant's configuration: {field}.",
  FIELDS_CLEARED:
    'Null empties these fields in the shop: {field}. If that is not meant, leave them out of the record, or send the value.',
  BROUGHT_BACK:
    'The product had been deleted and came again whole: it goes back into the shop with "{field}": true. If that is not meant, send "{field}": false.',
  STAYS_HIDDEN:
    'What the record is about is out of the shop, and stays so. To bring it back, send "{field}": true, or op "activate".',
  BLANKS_REMOVED: 'Blanks before or after a code do not count and were removed: {field}.',
  LIMIT: 'The field "{field}" must {limit}[; it is {given}].',
  NOT_LISTED: 'And {count} more, which are not listed.',
  NAMES_CONTRADICT:
    'The record says in two ways what it is about: "{field}" is {given}, but "{other}" is {expected}. Send only one of the two, or the same in both.',
  UNIT_UNKNOWN: 'The unit of measure[ {given}] is not known. Send a known one, or have yours configured.',
  GTIN_INVALID:
    'The bar code[ {given}] in "{field}" is not a valid GTIN and identifies no SKU. Check its digits, or send "SEM GTIN" for goods without one.',
  NCM_INVALID:
    'The NCM[ {given}] must have eight digits; the platform reports the error only when the invoice is issued.',
  FACTOR_MISSING:
    'An item sold by weight has no step of sale without "arithmeticFactor" (such as 0.1 for steps of 100 g).',
  CATEGORY_MISSING: 'Without a category the product is in no menu: only search finds it.',
  SKU_UNKNOWN:
    'The SKU[ {given}] is not known. Check the reference, and that the SKU is in the order or in the catalog.',
  SKU_AMBIGUOUS: 'The reference[ {given}] means more than one SKU or item. Use it once, or say which item by "line".',
  LINE_REQUIRED:
    'The platform knows an item by its SKU[ {given}] alone, which is on more than one line of the order, and not all present values are known. Report line[ {lines}], too, with "line", quantity, price and total.',
  NOTHING_PICKED: 'Every item of the order is missing. Cancel the order with CancelOrder.',
  REFERENCE_MISSING:
    'The reference[ {given}] is not known, or did not become known in time. Send its own record first.',
  REFERENCE_IMMUTABLE:
    'The reference[ {given}] of a SKU can neither change nor move to another product. Keep the former one.',
  REFERENCE_AMBIGUOUS: 'The reference[ {given}] occurs twice, or contradicts its place in the tree.',
  REFERENCE_IN_USE:
    'There are still products that use the reference[ {given}]. Change them first, or send with "force": true.',
  REFERENCE_CYCLE: 'The references form a cycle[ through {given}]. Correct the parent category.',
  SLUG_TAKEN: 'The slug[ {given}] belongs to another product. Send another one.',
  STALE_VERSION: 'The version {given} is lower than the last one received, {latest}. Send a higher one.',
  DUPLICATE_COMMAND: 'The identifier[ {given}] was used before with other content. Give new content a new one.',
  COMMAND_UNKNOWN: 'The command[ {given}] is not known, or refers to what does not exist.',
  TENANT_UNKNOWN: 'The tenant is missing, unknown, or differs between header and field.',
  TENANT_MISMATCH: 'The contractAccountId is not that of the authenticated tenant.',
  ENTITY_UNKNOWN: 'The kind of entity is not known.',
  NOT_JSON: 'The content is not a valid JSON object.',
  IDENTITY_MISSING: 'The identity of the record is missing, or is no usable text.',
  RECORD_TOO_LARGE: 'The record is too large.',
  BATCH_UNREADABLE: 'A batch of Kafka records could not be read.',
  RESULT_CUT: 'The result was too large for its topic, so this was shortened or left out: {field}.',
  BODY_TOO_LARGE: 'The body of the request is too large.',
  PROCESSING_FAILED: 'The record could not be processed because of an internal failure.',
  PLATFORM_REFUSED: 'The platform refused the operation.',
  PLATFORM_SILENT: 'The platform did not confirm the operation in time.',
  PLATFORM_UNREADABLE:
    'The platform did not answer the reading in time, and nothing was changed. Send the command again under another id.',
} as const satisfies Readonly<Record<keyof typeof REASON_TEXTS_PT, string>>;
