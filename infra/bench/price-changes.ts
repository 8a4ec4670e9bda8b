import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { BenchRoom } from './bench-room.ts';
import { POLICY } from './catalog-records.ts';
import type { StubPlatform } from './stub-platform.ts';

const PRICES_PER_SECOND = 20;
const PRICED_SKUS = 100;
const LIMIT_MS = 900_000;

interface PriceRoom {
  readonly platform: StubPlatform;
  readonly producer: BenchRoom['producer'];
}

/**
 * Changes prices of SKUs of the load `few` at a steady rate until `end`, which returns the delay of each to the
 * platform. No price from `first` on may have occurred before.
 */
export function changePrices({ producer, platform }: PriceRoom, first: number): { end: () => Promise<number[]> } {
  const sentAt = new Map<string, number>();
  const over = new AbortController();
  const producing = (async () => {
    for (let index = first; !over.signal.aborted; index += 1) {
      const price = `${index + 1}.00`;
      const externalReference = `few-${index % PRICED_SKUS}-0`;
      const value = JSON.stringify({ externalReference, policy: POLICY, data: { price } });
      sentAt.set(price, performance.now());
      await producer.send({ topic: 'erp.catalog.prices.v1', messages: [{ key: externalReference, value }] });
      await sleep(1_000 / PRICES_PER_SECOND);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await producing;
      // A value that a newer one of its SKU supersedes is never posted; the newest of all is.
      const last = [...sentAt.keys()].slice(-PRICED_SKUS);
      await waitFor(() => last.every((price) => platform.prices.has(price)), {
        describe: 'the last prices',
        timeoutMs: LIMIT_MS,
      });
      return [...sentAt].flatMap(([price, sent]) => {
        const arrived = platform.prices.get(price);
        return arrived === undefined ? [] : [arrived - sent];
      });
    },
  };
}
