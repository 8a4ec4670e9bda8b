/** The way of files into Gondola: content goes to the file gateway by HTTP, commands refer to it (contract: HTTP). */
export class Uploads {
  private readonly url: string;
  private readonly token: string;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /**
   * Uploads a file and answers its id. A connection that fails rejects: the upload is sent again, and one that was
   * stored twice runs out.
   */
  async send(content: Buffer, mediaType: string): Promise<string> {
    const answer = await fetch(`${this.url}/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': mediaType },
      body: new Uint8Array(content),
    });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`POST /uploads answered ${answer.status}: ${text.slice(0, 300)}`);
    return (JSON.parse(text) as { uploadId: string }).uploadId;
  }
}
