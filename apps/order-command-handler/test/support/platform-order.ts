/** Personal data as a test shopper has it; none of these texts may ever stand in a log. */
export const CANARIES = [
  'Cliente Teste 01',
  'canario.teste01@example.com',
  '00000000191',
  '11900000001',
  'Rua do Canario',
  '01001-000',
] as const;

const [name, email, document, phone, street, zipCode] = CANARIES;

/** `data` of an order notification as JSON text, with digits and white space that a parser would not write again. */
export function orderData(order: {
  readonly number: number;
  readonly status: number;
  readonly updatedAt: string;
  readonly total?: string;
  /** JSON text. */
  readonly orderInvoiced?: string;
}): string {
  const { number, status, updatedAt, total = '12.450', orderInvoiced = 'null' } = order;
  return `{ "id": "0b000000-0000-4000-8000-000000000001", "number": ${number}, "status": ${status},
  "createdAt": "2026-11-20T10:14:58", "updatedAt": "${updatedAt}", "deviceId": null, "origin": 2, "deliveryType": 1, "currency": "BRL",
  "aFieldOfTomorrow": 1.10,
  "user": {"id":"u-1","gender":null,"firstName":"${name}","lastName":"","email":"${email}","document":"${document}","phoneDDI":"55","phoneNumber":"${phone}","birthDate":"1990-01-01T00:00:00"},
  "orderAddress": {"country":"BR","state":"SP","city":"São Paulo","neighborhood":"Centro","street":"${street}","number":"12","zipCode":"${zipCode}","additionalInfo":null,"reference":null},
  "items": [{"id":"p-1","skuId":"s-1","ean":"7891000100103","reference":"4711-1","orderedQuantity":3,"unitOfMeasure":"Kg","arithmeticFactor":0.10,"salePrice":39.9,"totalPerProduct":${total},"manualPrice":${total},"discountApplied":0}],
  "seller": {"sellerCode":"loja-03"},
  "acceptedOrderDetails": {"subtotal":${total},"discount":0,"couponDiscount":0,"frete":0,"total":${total},"giftcardDiscount":0,"scheduledDate":"2026-11-21T00:00:00","scheduledStartTime":"08:00:00","scheduledEndTime":"12:00:00"},
  "paymentAttempts": [{"serviceProviderPaymentMethod":{"id":"m","paymentMethod":{"id":"x","name":"CreditCard"},"contractServiceProvider":{"name":"Pagamento Teste"}},"status":1,"brand":"VISA","value":${total},"transactionId":"t-1","authCode":null}],
  "orderInvoiced": ${orderInvoiced} }`;
}
