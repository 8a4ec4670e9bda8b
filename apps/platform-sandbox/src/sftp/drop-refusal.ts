/** Why the SFTP drop does not do what a client asks for, by the name of a status of the protocol. */
export class DropRefusal extends Error {
  constructor(
    readonly status: 'NO_SUCH_FILE' | 'PERMISSION_DENIED' | 'FAILURE',
    message: string,
  ) {
    super(message);
    this.name = 'DropRefusal';
  }
}
