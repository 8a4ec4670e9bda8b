export const POLICY = '22222222-2222-4222-8222-222222222222';

export function recordId(load: string, index: number): string {
  return `${load}-${index}`;
}

/** Three SKUs for two products. */
export function productRecord(load: string, index: number) {
  const externalReference = `${load}-${index}`;
  const skus = Array.from({ length: 1 + (index % 2) }, (_, place) => sku(`${externalReference}-${place}`));
  const value = {
    externalReference,
    recordId: recordId(load, index),
    commercialPolicyId: POLICY,
    name: `Queijo Minas Frescal ${externalReference}`,
    slug: `queijo-minas-frescal-${externalReference}`,
    title: `Queijo Minas Frescal ${externalReference}`,
    shortDescription: 'Queijo minas frescal, peça de meio quilo',
    longDescription: 'Queijo minas frescal, peça de meio quilo, da Serra da Canastra. '.repeat(5),
    punctuation: 10,
    skus,
  };
  return { key: externalReference, value: JSON.stringify(value) };
}

function sku(externalReference: string) {
  const measures = ['weight', 'height', 'width', 'length'].flatMap((each) => [`${each}ForFreight`, `${each}Real`]);
  return {
    externalReference,
    name: 'Peça',
    ean: '7891000100103',
    reference: externalReference,
    unitOfMeasurement: 'Kg',
    arithmeticFactor: '0.1',
    arrivalDate: '2026-01-01',
    manufacturerCode: 'QMF',
    ...Object.fromEntries(measures.map((each) => [each, 1])),
  };
}
