import { productItem, skuItem, unitSkuItem } from './catalog-items.ts';
import type { Envelope } from './receiver.ts';
import type { Answer, FormFile, Merchant, Shop } from './shop.ts';

const IMAGES = '/v1/Storages/image/upload';

/** An image whose name and bytes are this text. */
export function image(content: string): FormFile {
  return { content, type: 'image/png', name: `${content}.png` };
}

/** The file routes for a merchant with one product and the SKUs `A/1` (weighable) and `1208-1`. */
export class SkuFiles {
  readonly merchant: Merchant;
  private readonly shop: Shop;

  private constructor(shop: Shop, merchant: Merchant) {
    this.shop = shop;
    this.merchant = merchant;
  }

  static async open(shop: Shop): Promise<SkuFiles> {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem({ skus: [skuItem({ externalReference: 'A/1' }), unitSkuItem()] })]);
    await shop.idle();
    return new SkuFiles(shop, merchant);
  }

  send(
    reference: string,
    files: readonly FormFile[],
    orders: readonly unknown[] = [],
    method = 'POST',
  ): Promise<Answer> {
    const path = `${IMAGES}?externalReference=${encodeURIComponent(reference)}`;
    return this.shop.upload(this.merchant, path, { files, orders, method });
  }

  /** Sends files and waits until the core has taken them; returns the operation id. */
  async sent(...call: Parameters<SkuFiles['send']>): Promise<string> {
    const answer = await this.send(...call);
    if (answer.status !== 200) throw new Error(`the upload was answered ${answer.status}: ${answer.text}`);
    await this.shop.idle();
    return (answer.json as { operationId: string }).operationId;
  }

  async removed(path: string, body?: unknown): Promise<void> {
    await this.shop.accepted(this.merchant, 'DELETE', path, body);
    await this.shop.idle();
  }

  list(reference: string, fileType: number | string = 1): Promise<Answer> {
    const path = `/v1/Storages/file/${encodeURIComponent(reference)}/${fileType}`;
    return this.shop.call('GET', path, { headers: this.merchant.headers });
  }

  async urls(reference: string): Promise<string[]> {
    return (await this.list(reference)).json as string[];
  }

  /** Contents of the files at the URLs. */
  async contents(reference: string): Promise<string[]> {
    return Promise.all((await this.urls(reference)).map(async (url) => (await fetch(url)).text()));
  }

  failures(): Envelope[] {
    return this.shop.envelopesOf(this.merchant, 'Operation_Failed');
  }

  /** The product as the admin API shows it. */
  async product(): Promise<{ readModel: { skus: { id: string }[] } } & Record<string, unknown>> {
    const path = `/products/4711?contractAccountId=${this.merchant.contractAccountId}`;
    return (await this.shop.admin('GET', path)) as { readModel: { skus: { id: string }[] } };
  }
}
