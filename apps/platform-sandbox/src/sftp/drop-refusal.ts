/** Refusal of a client's request by the SFTP drop, with the name of a protocol status. */
export class DropRefusal extends Error {
  constructor(
    readonly status: 'NO_SUCH_FILE' | 'PERMISSION_DENIED' | 'FAILURE',
    message: string,
  ) {
    super(message);
    this.name = 'DropRefusal';
  }
}
