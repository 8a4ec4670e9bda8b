import { rawNumber, type JsonObject } from '../values/exact-json.ts';

/** A whole number from 0 to below the limit. */
export type Dice = (limit: number) => number;

/** Repeatable numbers (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const POLICY = '6f1c0a4e-6f0e-4c3a-9b7e-0d5f4a1b2c3d';
const BRANDS = [
  'Queijaria da Serra',
  'Fazenda Boa Vista',
  'Casa do Grão',
  'Sabor do Campo',
  'Mar Aberto',
  'Horta Viva',
  'Padaria Central',
  'Doce Lar',
];
const CATEGORIES = [
  'Frios',
  'Hortifruti',
  'Mercearia',
  'Bebidas',
  'Queijos',
  'Frutas',
  'Grãos',
  'Sucos',
  'Embutidos',
  'Verduras',
  'Massas',
  'Águas',
];
/** Products by name, each with its usual price in cents: of a kilo, then of a unit. */
const WEIGHED = {
  'Queijo Minas Frescal': 4_290,
  'Tomate Italiano': 899,
  'Banana Prata': 649,
  'Presunto Cozido': 3_790,
  'Maçã Gala': 1_199,
  'Queijo Prato': 4_990,
  'Batata Inglesa': 549,
  'Peito de Peru': 6_490,
};
const COUNTED = {
  'Arroz Branco 5 kg': 2_799,
  'Feijão Carioca 1 kg': 849,
  'Suco de Uva 1 L': 1_690,
  'Macarrão Parafuso 500 g': 459,
  'Café Torrado 500 g': 2_490,
  'Azeite Extra Virgem 500 ml': 3_990,
  'Água Mineral 1,5 L': 329,
  'Leite Integral 1 L': 549,
};

export function seedBrand(n: number): JsonObject {
  const name = nameOf(BRANDS, n);
  return { externalReference: `marca-${n + 1}`, name, title: name, description: `Produtos ${name}`, punctuation: 10 };
}

export function seedCategory(n: number): JsonObject {
  const name = nameOf(CATEGORIES, n);
  return { externalReference: `categoria-${n + 1}`, name, title: name, showInStoreFront: true, position: n + 1 };
}

/** A product with one SKU; every third is sold by weight, and one in fifty is not shown. */
export function seedProduct(n: number, roll: Dice): { fields: JsonObject; sku: JsonObject } {
  const { isWeighed, names, place } = kindOf(n);
  const name = nameOf(names, place);
  const reference = String(1_001 + n);
  const fields = {
    externalReference: reference,
    commercialPolicyId: POLICY,
    name,
    slug: `produto-${reference}`,
    title: name,
    shortDescription: name,
    longDescription: `${name}, selecionado para a loja`,
    punctuation: roll(100),
    ...(n % 50 === 49 && { active: false }),
  };
  const sku = {
    externalReference: `${reference}-1`,
    name: isWeighed ? `${name}, por quilo` : name,
    ean: `789${String(1_000_000_000 + n)}`,
    reference: `${reference}-1`,
    unitOfMeasurement: isWeighed ? 'Kg' : 'Un',
    ...(isWeighed && { arithmeticFactor: rawNumber('0.1') }),
    weightForFreight: 1,
    heightForFreight: 10,
    widthForFreight: 12,
    lengthForFreight: 12,
    weightReal: 1,
    heightReal: 10,
    widthReal: 12,
    lengthReal: 12,
    arrivalDate: '2026-01-31',
    manufacturerCode: `F-${reference}`,
  };
  return { fields, sku };
}

/** A price near the usual one, one in five with a promotion; `text` is what a shopper pays per unit of measure. */
export function seedPrice(
  n: number,
  sku: { readonly id: string; readonly externalReference: string },
  commercialPolicyId: string,
  roll: Dice,
): { record: JsonObject; text: string } {
  const { prices, place } = kindOf(n);
  const cents = Math.round(((prices[place % prices.length] ?? 0) * (90 + roll(21))) / 100);
  const promotional = n % 5 === 0 ? Math.round(cents * 0.8) : null;
  const identity = { skuId: sku.id, skuExternalReference: sku.externalReference, commercialPolicyId };
  const promotion = promotional === null ? {} : { promotionalPrice: rawNumber(amount(promotional)) };
  return { record: { ...identity, price: rawNumber(amount(cents)), ...promotion }, text: amount(promotional ?? cents) };
}

export function seedStock({ externalReference }: { readonly externalReference: string }, roll: Dice): JsonObject {
  return { skuExternalReference: externalReference, warehouseId: 'cd-01', quantity: 1 + roll(200) };
}

/** A small picture with the product's name. */
export function seedPicture(name: string, reference: string): string {
  const hue = (Number(reference.replaceAll(/\D/g, '')) * 47) % 360;
  const initials = name
    .split(' ')
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><rect width="200" height="200" fill="hsl(${hue} 55% 82%)"/><circle cx="100" cy="88" r="52" fill="hsl(${hue} 50% 62%)"/><text x="100" y="106" font-family="sans-serif" font-size="46" text-anchor="middle" fill="#fff">${initials}</text><text x="100" y="176" font-family="sans-serif" font-size="15" text-anchor="middle" fill="hsl(${hue} 40% 25%)">${name}</text></svg>`;
}

/** Every third product is sold by weight; `place` is its place among those of its kind. */
function kindOf(n: number) {
  const isWeighed = n % 3 === 0;
  const usual = isWeighed ? WEIGHED : COUNTED;
  const place = Math.floor(isWeighed ? n / 3 : (n * 2) / 3);
  return { isWeighed, place, names: Object.keys(usual), prices: Object.values(usual) };
}

function nameOf(names: readonly string[], n: number): string {
  const name = names[n % names.length] ?? '';
  const round = Math.floor(n / names.length);
  return round === 0 ? name : `${name} ${round + 1}`;
}

function amount(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
