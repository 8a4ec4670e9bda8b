/** A call that cannot be carried out as it is: answered 400 with this code and sentence. */
export class BadInput extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'BadInput';
  }
}
