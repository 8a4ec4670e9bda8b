/** The command line or the environment cannot be meant so; the message is the whole sentence. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
