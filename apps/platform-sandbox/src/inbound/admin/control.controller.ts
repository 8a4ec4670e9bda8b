import { ConflictException, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { isQuiet, Quiet, type OpenWork } from '../../application/quiet.ts';
import { ResetSandbox } from '../../application/reset-sandbox.ts';
import { SendRaw } from '../../application/send-raw.ts';
import { WebhookSender } from '../../application/webhook.sender.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { ChosenTenant } from './chosen-tenant.ts';
import { IdleBody, RawBody, SenderBody } from './control-bodies.ts';

/** Waiting, pausing, sending anything, beginning anew. */
@Controller('admin')
export class AdminControlController {
  constructor(
    private readonly quiet: Quiet,
    private readonly sender: WebhookSender,
    private readonly sendRaw: SendRaw,
    private readonly chosen: ChosenTenant,
    private readonly resetSandbox: ResetSandbox,
  ) {}

  /** 200 when core and sender have nothing left to do; 504 when they still have after `timeoutMs`. */
  @Post('idle')
  async idle(
    @AdminBody(IdleBody) { timeoutMs }: z.output<typeof IdleBody>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenWork & { idle: boolean }> {
    const open = await this.quiet.wait(timeoutMs);
    const idle = isQuiet(open);
    void reply.status(idle ? 200 : 504);
    return { idle, ...open };
  }

  /** Paused: answered when nothing is being sent any more. */
  @Post('sender')
  @HttpCode(200)
  async pause(@AdminBody(SenderBody) { paused }: z.output<typeof SenderBody>): Promise<{ paused: boolean }> {
    await this.sender.setPaused(paused);
    return { paused };
  }

  @Post('send-raw')
  @HttpCode(200)
  async raw(@AdminBody(RawBody) body: z.output<typeof RawBody>): Promise<{ answer: number | null }> {
    const { contractAccountId } = await this.chosen.transform(body.contractAccountId);
    const bytes = Buffer.from(body.bodyBase64, 'base64');
    const outcome = await this.sendRaw.send({ contractAccountId, headers: body.headers, body: bytes });
    if (outcome.kind === 'sent') return { answer: outcome.answer };
    throw new ConflictException({ code: 'NO_WEBHOOK', message: 'This tenant has registered no webhook' });
  }

  @Post('reset')
  @HttpCode(204)
  async reset(): Promise<void> {
    await this.resetSandbox.reset();
  }
}
