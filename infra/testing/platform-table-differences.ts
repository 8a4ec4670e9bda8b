/** Values as JSON text, by description. */
export const PROBES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 15, 16, 30, 31, 48, 49, 50, 51, 60, 61, 100, 101, 400, 401, 500, 501, 4_000].map((length) => [
      `a text of ${length}`,
      JSON.stringify('x'.repeat(length)),
    ]),
  ),
  'an empty text': '""',
  'a text of blanks': '"     "',
  'a text with NUL': '"abcde\\u0000"',
  'a number': '7',
  zero: '0',
  'a negative number': '-1',
  'a fraction': '1.5',
  'a whole number with a fraction of 0': '1.0',
  'a number in quotes': '"7"',
  true: 'true',
  null: 'null',
  'a GUID': '"6f1c0a4e-6f0e-4c3a-9b7e-0d5f4a1b2c3d"',
  'a date': '"2026-02-28"',
  'a date that is none': '"2026-02-30"',
  'a date with a time': '"2026-02-28T10:00:00Z"',
  'a unit': '"Kg"',
  'a unit in small letters': '"kg"',
  'a list': '[]',
  'an object': '{}',
};

/** An intended difference between the connector's and the sandbox's reading of the platform's document. */
export interface KnownDifference {
  /** Matches the table's name and the key: `product.name`. */
  readonly fields: RegExp;
  readonly probes: readonly string[];
  readonly onlyTakenBy: 'the connector' | 'the sandbox';
  readonly because: string;
}

export const KNOWN: readonly KnownDifference[] = [
  {
    fields: /\.(punctuation|position|arithmeticFactor|weight|height|width|length|minimumWeight|skuPackage)/,
    probes: ['a number in quotes'],
    onlyTakenBy: 'the connector',
    because: 'an ERP may write a number as text; what the connector posts is a JSON number of the same digits',
  },
  {
    fields: /\.(punctuation|position)$/,
    probes: ['a fraction'],
    onlyTakenBy: 'the sandbox',
    because:
      'the document shows punctuation and position as integers and, of a product, only that it is 0 or more; who sends no fraction is safe',
  },
  {
    fields: /^product\.fiscalCode$/,
    probes: [
      'a number',
      'zero',
      'a negative number',
      'a fraction',
      'a whole number with a fraction of 0',
      'true',
      'a list',
      'an object',
    ],
    onlyTakenBy: 'the sandbox',
    because:
      'the platform has no rule for it, not even of type; an NCM code is text, and leading zeros would be lost in a number',
  },
  {
    fields: /./,
    probes: ['a text of blanks'],
    onlyTakenBy: 'the connector',
    because:
      'whether blanks fill a required text is not shown: the strict sandbox shows what the connector makes of a refusal',
  },
  {
    fields: /^product\.(fiscalCode|characteristics)$/,
    probes: ['a text with NUL'],
    onlyTakenBy: 'the sandbox',
    because:
      'the document has no rule for them: the connector stores a record before it sends it, and PostgreSQL has no NUL',
  },
  {
    fields: /^(brand|category)\.externalReference$/,
    probes: ['a text of 4000'],
    onlyTakenBy: 'the sandbox',
    because:
      'no length is shown for brands and categories; in Gondola a reference is also a key of Kafka and of its database',
  },
  {
    fields: /^category\.name$/,
    probes: ['nothing', 'null', 'an empty text'],
    onlyTakenBy: 'the connector',
    because:
      'which fields of a category are required is not shown; the sandbox has a switch for it, the connector asks for its key alone',
  },
];
