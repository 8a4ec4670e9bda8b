/** Words for what the apps name by codes: statuses, reasons for attention, parties, commands, outcomes, checks. */

export const STATUSES_PT = {
  '250': 'Pagamento recusado',
  '300': 'Pagamento aprovado',
  '350': 'Faturado',
  '400': 'Em separação',
  '500': 'Pronto',
  '600': 'Em entrega',
  '700': 'Entregue',
  '750': 'Cancelamento em análise',
  '800': 'Cancelado',
  '900': 'Entrega não realizada',
  '1000': 'Devolvido',
  '1100': 'Reembolso em andamento',
  '1200': 'Reembolsado',
  '1300': 'Valores recalculados',
} as const;

export const ATTENTION_PT = {
  PAID_NOTICE_MISSING: 'segue na loja, mas o aviso do pagamento nunca chegou',
  NOT_PREPARED: 'aprovado, e a separação não começou',
  PICKING_UNCONFIRMED: 'a separação foi enviada e a plataforma não recalculou',
  PDF_MISSING: 'a nota foi registrada e o PDF falta',
  NOT_INVOICED: 'separado, e a nota não foi registrada',
  CANCEL_UNFINISHED: 'o cancelamento não terminou',
  REFUND_UNFINISHED: 'o reembolso não terminou',
} as const;

export const PARTIES_PT = {
  erp: 'o ERP',
  platform: 'a plataforma',
  gondola: 'o Gondola',
  operator: 'você',
  engineer: 'a equipe técnica',
} as const;

export const COMMANDS_PT = {
  StartPreparation: 'iniciar a separação',
  ReportPicking: 'informar a separação',
  RegisterInvoice: 'registrar a nota fiscal',
  AttachInvoicePdf: 'anexar o PDF da nota',
  MarkReady: 'marcar como pronto',
  Ship: 'sair para entrega',
  ConfirmDelivery: 'confirmar a entrega',
  ReportDeliveryFailure: 'informar falha na entrega',
  MarkReturned: 'registrar a devolução',
  CancelOrder: 'cancelar o pedido',
  RefreshOrder: 'reler o pedido',
  ReleaseOrder: 'liberar o pedido',
  WithdrawCommand: 'retirar um comando',
} as const;

export const OUTCOMES_PT = {
  applied: 'feito',
  unchanged: 'já estava assim',
  refused: 'recusado pela plataforma',
  invalid: 'inválido',
  superseded: 'substituído por um mais novo',
  unconfirmed: 'sem confirmação da plataforma',
  withdrawn: 'retirado',
  waiting: 'esperando',
  corrected: 'corrigido',
} as const;

export const CHECKS_PT = {
  database: 'banco de dados',
  kafka: 'Kafka',
  'notifications relay': 'envio ao Kafka',
} as const;

export const CAUSES_PT = {
  NOT_JSON: 'O conteúdo não é um JSON válido',
  FIELD_REQUIRED: 'Falta um campo obrigatório',
  FIELD_TYPE: 'Um campo tem o tipo errado',
  LIMIT: 'Um campo passa do limite',
  ENTITY_UNKNOWN: 'O aviso trata de algo que o Gondola não conhece',
  TENANT_UNKNOWN: 'A loja não foi informada ou não é conhecida',
  TENANT_MISMATCH: 'O aviso é da conta de outra loja',
  NOT_STORABLE: 'O banco de dados recusou o aviso',
  IDENTITY_MISSING: 'Falta a identificação do registro',
  RECORD_TOO_LARGE: 'O registro é grande demais',
  BATCH_UNREADABLE: 'Um lote de registros do Kafka não pôde ser lido',
  PROCESSING_FAILED: 'O Gondola falhou ao processar o registro',
  UNIT_UNKNOWN: 'A unidade de medida não é conhecida',
  GTIN_INVALID: 'O código de barras não é válido',
  NCM_INVALID: 'O NCM não tem oito dígitos',
  FACTOR_MISSING: 'Falta o passo da venda por peso',
  CATEGORY_MISSING: 'Falta a categoria',
  TOO_MANY_DECIMALS: 'Um valor tem casas decimais demais',
  SKU_UNKNOWN: 'O SKU não é conhecido',
  SKU_AMBIGUOUS: 'A referência indica mais de um SKU',
  REFERENCE_MISSING: 'O que o registro cita não chegou a tempo',
  REFERENCE_IMMUTABLE: 'A referência do SKU não pode mudar',
  REFERENCE_AMBIGUOUS: 'Uma referência ocorre duas vezes ou se contradiz',
  REFERENCE_IN_USE: 'Ainda há produtos que usam a referência',
  REFERENCE_CYCLE: 'As categorias formam um ciclo',
  SLUG_TAKEN: 'O slug já é de outro produto',
  STALE_VERSION: 'A versão é menor que a última recebida',
  DUPLICATE_COMMAND: 'O identificador já foi usado com outro conteúdo',
  COMMAND_UNKNOWN: 'O registro se refere a algo que não existe',
  FIELD_UNKNOWN: 'Um campo não é conhecido',
  FIELD_READ_ONLY: 'Um campo é só de leitura',
  CONFIRM_REQUIRED: 'Falta "confirm": true',
  PLATFORM_REFUSED: 'A plataforma recusou o registro',
  PLATFORM_SILENT: 'A plataforma não confirmou a tempo',
} as const;
