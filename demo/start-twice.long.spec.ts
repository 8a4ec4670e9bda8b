import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { pictureOf } from './erp/contents.ts';
import { TOPIC } from './erp/erp.ts';
import { playOrShow } from './play/loop.ts';
import { endsAs, upload, type DemoContext } from './play/step.ts';
import { testRun } from './testing/test-run.ts';

/** Steps of three parts of the day. */
const FAILING = ['load-products', 'report-picking', 'cancel-while-preparing'];

/** Publishes a third picture of the cheese, as somebody who tries Gondola does. */
async function publishPicture(context: DemoContext): Promise<void> {
  const commandId = randomUUID();
  const uploadId = await upload(context, pictureOf(999), 'image/png');
  const value = {
    commandId,
    command: 'PublishSkuImages',
    skuExternalReference: '4711-1',
    images: [{ order: 3, content: { uploadId } }],
  };
  await context.erp.send(TOPIC.fileCommands, [{ key: '4711-1', value }]);
  await endsAs(context, commandId, 'applied');
}

describe('the day of npm start', () => {
  it('is played on new data and then on demand, whatever became of the shop, and a step that fails stops nothing', async () => {
    await testRun('start-twice', async ({ context }) => {
      const { reporter } = context;
      const said = async (play: () => Promise<void>) => {
        const before = reporter.lines.length;
        await play();
        return reporter.lines.slice(before);
      };
      const first = await said(() => playOrShow(context, false));
      expect(first.filter((line) => line.startsWith('✗'))).toEqual([]);
      expect(first).toContainEqual(expect.stringMatching(/^✓ books .* 4 orders/));
      await publishPicture(context);

      const [there, ...more] = await said(() => playOrShow(context, false));
      expect(there).toMatch(/^✓ data of earlier starts +\d+ SKUs and 4 orders: .*1 in 700/);
      expect(more).toEqual(['  with --play, npm start plays the day again']);

      const failing = {
        ...context,
        beforeStep: async (step: string) => {
          if (FAILING.includes(step)) throw new Error('away');
        },
      };
      const again = await said(() => playOrShow(failing, true));
      expect(again).toContainEqual(expect.stringMatching(/^✓ .* two pictures each of 3 SKUs published/));
      expect(again.filter((line) => line.startsWith('✗'))).toEqual(FAILING.map((step) => `✗ ${step} away`));
      expect(again).toContainEqual(expect.stringMatching(/^✓ books .* 2 orders/));
    });
  });
});
