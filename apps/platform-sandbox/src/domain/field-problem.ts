/** What is wrong with one field of a body that is answered 400. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export function problemsText(problems: readonly FieldProblem[]): string {
  return problems.map(({ field, message }) => `${field} ${message}`).join('; ');
}
