import { Buffer } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { checkRecord, ERP_TOPICS, type ErpTopic } from './check-record.ts';

/** Records with one error each: the reported field, and the sentence in both languages. */
const WRONG: readonly [topic: ErpTopic, record: string, field: string, pt: string, en: string][] = [
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711"',
    '',
    'O conteúdo não é um objeto JSON válido. (o texto é UTF-8, mas não é JSON, ou tem objetos demais um dentro do outro)',
    'The content is not a valid JSON object. (the text is UTF-8 but no JSON, or has too many objects within each other)',
  ],
  [
    'erp.catalog.products.v1',
    '["4711"]',
    '',
    'O conteúdo não é um objeto JSON válido. (é uma lista)',
    'The content is not a valid JSON object. (it is a list)',
  ],
  [
    'erp.catalog.products.v1',
    '{"name":"Queijo"}',
    'externalReference',
    'Falta o campo "externalReference", que identifica o registro.',
    'The field "externalReference", which identifies the record, is missing.',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":{"code":4711}}',
    'externalReference',
    'O campo "externalReference", que identifica o registro, não serve: é um objeto, e deve ser um texto.',
    'The field "externalReference", which identifies the record, cannot be used: it is an object, and has to be a text.',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","nome":"Queijo"}',
    'nome',
    'O campo "nome" não é conhecido. O nome conhecido mais próximo é "name".',
    'The field "nome" is not known. The nearest known name is "name".',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","preco":"9.90"}',
    'preco',
    'O campo "preco" não é conhecido. Preço e estoque não ficam no produto: use o tópico erp.catalog.prices.v1.',
    'The field "preco" is not known. Price and stock are no part of a product: use the topic erp.catalog.prices.v1.',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","name":"Pão"}',
    'name',
    'O campo "name" deve ter entre 5 e 400 caracteres; veio "Pão".',
    'The field "name" must have from 5 to 400 characters; it is "Pão".',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","punctuation":"dez"}',
    'punctuation',
    'O campo "punctuation" deve ser um número inteiro; veio "dez".',
    'The field "punctuation" must be an integer; it is "dez".',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","commercialPolicyId":"varejo"}',
    'commercialPolicyId',
    'O campo "commercialPolicyId" deve ser um GUID; veio "varejo".',
    'The field "commercialPolicyId" must be a GUID; it is "varejo".',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","op":"remove"}',
    'op',
    'O comando "remove" não é conhecido ou se refere a algo que não existe.',
    'The command "remove" is not known, or refers to what does not exist.',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","sourceVersion":-1}',
    'sourceVersion',
    'O campo "sourceVersion" deve ser um número inteiro de até 18 dígitos; veio -1.',
    'The field "sourceVersion" must be an integer of up to 18 digits; it is -1.',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"a/../b","name":"Queijo"}',
    'externalReference',
    'O campo "externalReference" deve estar livre de "." e ".." sozinhos ou entre barras; veio "a/../b".',
    'The field "externalReference" must hold no "." or ".." alone or between slashes; it is "a/../b".',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","skus":[{"externalReference":"4711-1","unitOfMeasurement":"CX"}]}',
    'unitOfMeasurement',
    'A unidade de medida "CX" não é conhecida. Envie uma das conhecidas, ou peça que a sua seja configurada. Unidades conhecidas: Un, Kg, G, Mg.',
    'The unit of measure "CX" is not known. Send a known one, or have yours configured. Known units: Un, Kg, G, Mg.',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","skus":[{"externalReference":"4711-1","weightReal":"1,5"}]}',
    'weightReal',
    'O campo "weightReal" deve ser um número decimal; veio "1,5". Use ponto, e não vírgula, como separador decimal.',
    'The field "weightReal" must be a decimal number; it is "1,5". Use a point, not a comma, before the decimals.',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","skus":[{"externalReference":"4711-1","weightReal":0}]}',
    'weightReal',
    'O campo "weightReal" deve ser maior que 0; veio 0.',
    'The field "weightReal" must be more than 0; it is 0.',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","skus":[{"externalReference":"4711-1","arrivalDate":"20/11/2026"}]}',
    'arrivalDate',
    'O campo "arrivalDate" deve ser uma data no formato AAAA-MM-DD; veio "20/11/2026".',
    'The field "arrivalDate" must be a date of the form YYYY-MM-DD; it is "20/11/2026".',
  ],
  [
    'erp.catalog.products.v1',
    '{"externalReference":"4711","skus":[{"externalReference":"4711-1"},{"externalReference":"4711-1"}]}',
    'externalReference',
    'A referência "4711-1" indica mais de um SKU ou item. Use-a uma só vez, ou diga qual item em "line".',
    'The reference "4711-1" means more than one SKU or item. Use it once, or say which item by "line".',
  ],
  [
    'erp.catalog.brands.v1',
    '{"externalReference":"m-1","name":7,"title":"Marca","description":"Marca","punctuation":1}',
    'name',
    'O campo "name" deve ser um texto; veio 7.',
    'The field "name" must be a text; it is 7.',
  ],
  [
    'erp.catalog.brands.v1',
    '{"externalReference":"m-1","nmae":"Marca"}',
    'name',
    'O campo "name" é obrigatório.',
    'The field "name" is required.',
  ],
  [
    'erp.catalog.categories.v1',
    '{"externalReference":"c-1","name":"Frios","title":"Frios","description":"Frios","showInStoreFront":"sim","position":1}',
    'showInStoreFront',
    'O campo "showInStoreFront" deve ser true ou false; veio "sim".',
    'The field "showInStoreFront" must be true or false; it is "sim".',
  ],
  [
    'erp.catalog.categories.v1',
    '{"externalReference":"c-1","name":"Frios","title":"Frios","description":"Frios","showInStoreFront":true,"position":1,"parentExternalReference":"c-1"}',
    'parentExternalReference',
    'As referências formam um ciclo que passa por "c-1". Corrija a categoria superior.',
    'The references form a cycle through "c-1". Correct the parent category.',
  ],
  [
    'erp.catalog.prices.v1',
    '{"externalReference":"4711-1","data":9.9}',
    'data',
    'O campo "data" deve ser um objeto; veio 9.9.',
    'The field "data" must be an object; it is 9.9.',
  ],
  [
    'erp.catalog.prices.v1',
    '{"externalReference":"4711-1","price":9.9}',
    'data',
    'O campo "data" é obrigatório.',
    'The field "data" is required.',
  ],
  [
    'erp.catalog.warehouses.v1',
    '{"externalReference":"w-1","op":"delete","data":{}}',
    'op',
    'O comando "delete" não é conhecido ou se refere a algo que não existe.',
    'The command "delete" is not known, or refers to what does not exist.',
  ],
  [
    'erp.catalog.stock.v1',
    '{"externalReference":"4711-1","warehouse":3.5,"data":{}}',
    'warehouse',
    'O campo "warehouse" deve ser um texto de 1 a 512 caracteres; veio 3.5.',
    'The field "warehouse" must be a text of 1 to 512 characters; it is 3.5.',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"StartPreparations","orderNumber":1}',
    'command',
    'O comando "StartPreparations" não é conhecido ou se refere a algo que não existe. O nome conhecido mais próximo é "StartPreparation".',
    'The command "StartPreparations" is not known, or refers to what does not exist. The nearest known name is "StartPreparation".',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":true,"command":"Ship","orderNumber":1}',
    'commandId',
    'O campo "commandId", que identifica o registro, não serve: é true ou false, e deve ser um texto.',
    'The field "commandId", which identifies the record, cannot be used: it is true or false, and has to be a text.',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"StartPreparation","orderNumber":"A-17"}',
    'orderNumber',
    'O campo "orderNumber" deve ser um número inteiro de pedido; veio "A-17".',
    'The field "orderNumber" must be an integer order number; it is "A-17".',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"StartPreparation","orderNumber":100234,"motivo":"x"}',
    'motivo',
    'O campo "motivo" não é conhecido.',
    'The field "motivo" is not known.',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"StartPreparation","orderNumber":100234,"requestedAt":"ontem"}',
    'requestedAt',
    'O campo "requestedAt" deve ser uma data e hora ISO 8601 com fuso; veio "ontem". Escreva data e hora como 2026-11-20T14:05:00-03:00, sem nome de zona.',
    'The field "requestedAt" must be an ISO 8601 date and time with an offset; it is "ontem". Write date and time as 2026-11-20T14:05:00-03:00, without the name of a zone.',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"CancelOrder","orderNumber":100234}',
    'reason',
    'O campo "reason" é obrigatório.',
    'The field "reason" is required.',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"ReportPicking","orderNumber":100234,"finalOrderPrice":"12.45","items":[{"skuExternalReference":"4711-1","outcome":"separado"}]}',
    'items[0].outcome',
    'O campo "items[0].outcome" deve ser um destes valores: picked, missing, substitute, added; veio "separado".',
    'The field "items[0].outcome" must be one of: picked, missing, substitute, added; it is "separado".',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"ReportPicking","orderNumber":100234,"finalOrderPrice":"12.45","items":[{"skuExternalReference":"4711-1","outcome":"picked","quantity":{"value":"2.5","unit":"Un"}}]}',
    'items[0].quantity.value',
    'O campo "items[0].quantity.value" deve ser um número inteiro; veio "2.5".',
    'The field "items[0].quantity.value" must be an integer; it is "2.5".',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"ReportPicking","orderNumber":100234,"finalOrderPrice":"12.45","items":[{"skuExternalReference":"4711-1","outcome":"picked","quantity":{"value":"2","unit":"CX"}}]}',
    'items[0].quantity.unit',
    'A unidade de medida "CX" não é conhecida. Envie uma das conhecidas, ou peça que a sua seja configurada. Unidades conhecidas: Un, Kg, G, Mg.',
    'The unit of measure "CX" is not known. Send a known one, or have yours configured. Known units: Un, Kg, G, Mg.',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"ReportPicking","orderNumber":100234,"finalOrderPrice":"12.455","items":[]}',
    'finalOrderPrice',
    'O valor "12.455" tem mais de duas casas decimais. Arredonde-o no ERP.',
    'The value "12.455" has more than two decimals. Round it in the ERP.',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"RegisterInvoice","orderNumber":100234,"number":"1","issuedAt":"2026-11-20T10:00:00Z","value":"R$ 12,45"}',
    'value',
    'O campo "value" deve ser um valor em dinheiro, como número decimal; veio "R$ 12,45".',
    'The field "value" must be an amount as a decimal number; it is "R$ 12,45".',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"RegisterInvoice","orderNumber":100234,"number":"1","issuedAt":"2026-11-20T10:00:00","value":"12.45"}',
    'issuedAt',
    'O campo "issuedAt" deve ser uma data e hora ISO 8601 com fuso; veio "2026-11-20T10:00:00". Falta o fuso: termine com "Z" ou, por exemplo, "-03:00".',
    'The field "issuedAt" must be an ISO 8601 date and time with an offset; it is "2026-11-20T10:00:00". The offset is missing: end with "Z" or, for example, "-03:00".',
  ],
  [
    'erp.orders.commands.v1',
    '{"commandId":"c-1","command":"AttachInvoicePdf","orderNumber":100234,"pdf":{"uploadId":"u-1","url":"https://example.com/1.pdf"}}',
    'pdf',
    'O campo "pdf" deve ser um objeto com exatamente um destes campos: uploadId, url, path; veio uploadId, url.',
    'The field "pdf" must be an object with exactly one of the fields uploadId, url, path; it is uploadId, url.',
  ],
  [
    'erp.files.commands.v1',
    '{"commandId":"c-1","command":"PublishImages","skuExternalReference":"4711-1"}',
    'command',
    'O comando "PublishImages" não é conhecido ou se refere a algo que não existe. O nome conhecido mais próximo é "PublishSkuImages".',
    'The command "PublishImages" is not known, or refers to what does not exist. The nearest known name is "PublishSkuImages".',
  ],
  [
    'erp.files.commands.v1',
    '{"commandId":"c-1","command":"PublishSkuImages","skuExternalReference":"4711-1","images":[]}',
    'images',
    'O campo "images" é obrigatório.',
    'The field "images" is required.',
  ],
  [
    'erp.files.commands.v1',
    '{"commandId":"c-1","command":"PublishSkuImages","skuExternalReference":"4711-1","images":[{"order":0,"content":{"uploadId":"u-1"}}]}',
    'images[0].order',
    'O campo "images[0].order" deve ser maior ou igual a 1; veio 0.',
    'The field "images[0].order" must be 1 or more; it is 0.',
  ],
  [
    'erp.files.commands.v1',
    '{"commandId":"c-1","command":"PublishSkuImages","skuExternalReference":"4711-1","images":[{"order":1,"content":"u-1"}]}',
    'images[0].content',
    'O campo "images[0].content" deve ser um objeto; veio "u-1".',
    'The field "images[0].content" must be an object; it is "u-1".',
  ],
  [
    'erp.files.commands.v1',
    '{"commandId":"c-1","command":"ListFiles","externalReference":"4711","fileType":"Foto"}',
    'fileType',
    'O campo "fileType" deve ser o nome ou o número de um tipo de arquivo; veio "Foto". um destes valores: SKU, Category, Badge, Invoice, Product',
    'The field "fileType" must be the name or the number of a file type; it is "Foto". one of: SKU, Category, Badge, Invoice, Product',
  ],
  [
    'erp.files.commands.v1',
    '{"commandId":"c-1","command":"RemoveAllFiles","entityId":"e-1"}',
    'confirm',
    'Esta operação exige "confirm": true.',
    'This operation needs "confirm": true.',
  ],
];

const checkProduct = (record: string) =>
  checkRecord('erp.catalog.products.v1', Buffer.from(record), { language: 'en', mode: 'update' });

describe('wrong records of every kind', () => {
  it.each(WRONG)('%s: %s is answered by its field and value in both languages', (topic, record, field, pt, en) => {
    const said = (language: 'pt-BR' | 'en') => {
      const { outcome, errors } = checkRecord(topic, Buffer.from(record), { language, mode: 'update' });
      expect(outcome).not.toBe('valid');
      const { hint } = errors[0]!;
      return [errors[0]!.field, errors[0]!.message + (hint === undefined ? '' : ` ${hint}`)];
    };
    expect(said('pt-BR')).toEqual([field, pt]);
    expect(said('en')).toEqual([field, en]);
  });

  it('are of every topic that an ERP writes, forty at least', () => {
    expect(WRONG.length).toBeGreaterThanOrEqual(40);
    expect([...new Set(WRONG.map(([topic]) => topic))].toSorted()).toEqual([...ERP_TOPICS].toSorted());
  });

  it('say which codes had blanks around them, which do not count', () => {
    const message = 'Blanks before or after a code do not count and were removed: externalReference, skus[].ean.';
    const product = '{"externalReference":" 4711  ","skus":[{"externalReference":"4711-1","ean":"96385074      "}]}';
    expect(checkProduct(product)).toEqual({
      outcome: 'valid',
      errors: [],
      warnings: [{ field: 'externalReference, skus[].ean', code: 'BLANKS_REMOVED', message }],
    });
    expect(checkProduct('{"externalReference":"   "}').outcome).toBe('unreadable');
  });

  it('never call a tenant a customer', () => {
    expect(WRONG.filter(([, , , pt]) => pt.includes('cliente'))).toEqual([]);
  });

  it('judge what is required to create a product only where it is created', () => {
    const record = Buffer.from('{"externalReference":"4711","title":"Queijo"}');
    const outcomeOf = (mode: 'create' | 'update') =>
      checkRecord('erp.catalog.products.v1', record, { language: 'en', mode }).outcome;
    expect([outcomeOf('create'), outcomeOf('update')]).toEqual(['invalid', 'valid']);
  });
});
