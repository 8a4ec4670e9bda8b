import { Database } from '@gondola/service-kit/database/database';
import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import { ConflictException, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { sandboxEntities } from '../database.schema.ts';
import { FaultBoard, type StoredFault } from '../faults/fault-board.service.ts';
import { FaultsBody, type Fault, type FaultCount } from '../faults/fault.ts';
import { AdminRoutes } from '../http/admin-routes.decorator.ts';
import { ValidBody } from '../http/body.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID } from '../openapi/schemas.ts';
import { Ids } from '../runtime/ids.service.ts';
import { isQuiet, Quiet, type OpenWork } from '../runtime/quiet.service.ts';
import { DEFAULT_BEHAVIOUR, SwitchesBody, type Behaviour } from '../switches/behaviour.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { ChosenTenant } from '../tenants/chosen-tenant.pipe.ts';
import { TenantsRepository } from '../tenants/tenants.repository.ts';
import { isGuid } from '../values/guid.ts';
import { WebhookSender } from '../webhooks/webhook-sender.service.ts';

const IdleBody = z.object({ timeoutMs: z.int().min(0).max(600_000).default(10_000) });
const SenderBody = z.object({ paused: z.boolean() });
const RawBody = z.object({
  contractAccountId: z.string().optional(),
  headers: z.record(z.string(), z.string().nullable()).default({}),
  bodyBase64: z.base64(),
});

const TenantBody = z.object({
  contractAccountId: z.string().refine(isGuid, 'must be a GUID'),
  username: z
    .string()
    .min(1)
    .refine((name) => !name.includes(':'), 'must not hold a colon'),
  password: z.string().min(1),
  apiKey: z.string().min(1),
});

/** Merchants, faults and switches; waits, pauses, raw deliveries and reset. */
@AdminRoutes()
export class ControlController {
  constructor(
    private readonly database: Database,
    private readonly quiet: Quiet,
    private readonly sender: WebhookSender,
    private readonly chosen: ChosenTenant,
    private readonly tenants: TenantsRepository,
    private readonly faults: FaultBoard,
    private readonly switches: SwitchBoard,
    private readonly ids: Ids,
    private readonly document: OpenApiDocument,
  ) {}

  @Post('tenants')
  @Describe({
    summary: 'Adds a merchant; again with the same contractAccountId: other credentials, the same shop',
    body: { contractAccountId: A_GUID, username: 'erp-one', password: 'secret', apiKey: 'key' },
    answer: { contractAccountId: A_GUID },
  })
  async saveTenant(
    @ValidBody(TenantBody) credentials: z.output<typeof TenantBody>,
  ): Promise<{ contractAccountId: string }> {
    await this.tenants.save(credentials, {
      sellerId: this.ids.newGuid(),
      shippingPolicyId: this.ids.newGuid(),
      deliveryId: this.ids.newGuid(),
      paymentMethodId: this.ids.newGuid(),
      providerMethodId: this.ids.newGuid(),
    });
    return { contractAccountId: credentials.contractAccountId };
  }

  @Post('faults')
  @Describe({
    summary: 'Sets faults, beside those that are set: all of the list, or none',
    body: [{ route: '^POST /v1/batch/Products$', kind: 'error-after', times: 1 }],
    answer: [{ id: '1', fault: { kind: 'error-after', times: 1 } }],
  })
  async addFaults(@ValidBody(FaultsBody) faults: readonly Fault[]): Promise<StoredFault[]> {
    return this.faults.add(faults);
  }

  @Get('faults')
  @Describe({
    summary: 'The faults that are set, and how often each matched and struck',
    answer: [{ id: '1', fault: { kind: 'error-after', share: 0.1 }, matched: 50, struck: 5 }],
  })
  async countedFaults(): Promise<(StoredFault & FaultCount)[]> {
    return this.faults.counted();
  }

  @Delete('faults')
  @HttpCode(204)
  @Describe({ summary: 'Removes all faults' })
  async clearFaults(): Promise<void> {
    await this.faults.clear();
  }

  @Get('switches')
  @Describe({
    summary: 'What the platform does where its document leaves it open',
    answer: DEFAULT_BEHAVIOUR,
  })
  behaviour(): Behaviour {
    return this.switches.behaviour;
  }

  @Post('switches')
  @HttpCode(200)
  @Describe({
    summary: 'Changes the switches that are named, for all merchants; they outlive a restart, not a reset',
    body: { transitions: 'strict' },
    answer: { ...DEFAULT_BEHAVIOUR, transitions: 'strict' },
  })
  async change(@ValidBody(SwitchesBody) changed: Partial<Behaviour>): Promise<Behaviour> {
    return this.switches.change(changed);
  }

  /** The document of `/api/openapi.json`, under the path where users of the admin API look for it. */
  @Get('openapi.json')
  @Describe({ summary: 'This document', answer: { openapi: '3.1.0' } })
  async openApi(): Promise<object> {
    return this.document.content();
  }

  @Post('idle')
  @HttpCode(200)
  @Describe({
    summary: 'Answers when core and sender have nothing left to do',
    body: { timeoutMs: 10_000 },
    answer: { idle: true, waitingOperations: 0, pendingDeliveries: 0 },
    errors: { 504: 'There is still something to do; the body is that of a 200, with idle false' },
  })
  async idle(
    @ValidBody(IdleBody) { timeoutMs }: z.output<typeof IdleBody>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OpenWork & { idle: boolean }> {
    const open = await this.quiet.wait(timeoutMs);
    const idle = isQuiet(open);
    void reply.status(idle ? 200 : 504);
    return { idle, ...open };
  }

  @Post('sender')
  @HttpCode(200)
  @Describe({
    summary: 'Pauses the webhook sender or lets it go on; answered when nothing is under way',
    body: { paused: true },
    answer: { paused: true },
  })
  async pause(@ValidBody(SenderBody) { paused }: z.output<typeof SenderBody>): Promise<{ paused: boolean }> {
    await this.sender.setPaused(paused);
    return { paused };
  }

  @Post('send-raw')
  @HttpCode(200)
  @Describe({
    summary: 'Posts any bytes to a merchant’s webhook, once',
    description:
      'Headers replace the usual ones; null removes one. `answer` is the HTTP status, null without an answer.',
    body: { headers: { authorization: null }, bodyBase64: 'e30=' },
    answer: { answer: 401 },
    errors: { 409: 'The merchant has registered no webhook' },
  })
  async sendRaw(@ValidBody(RawBody) body: z.output<typeof RawBody>): Promise<{ answer: number | null }> {
    const tenant = await this.chosen.transform(body.contractAccountId);
    const answer = await this.sender.sendRaw(tenant, body.headers, Buffer.from(body.bodyBase64, 'base64'));
    if (answer !== undefined) return { answer };
    throw new ConflictException({ code: 'NO_WEBHOOK', message: 'This tenant has registered no webhook' });
  }

  /** Numbers and sequences continue, so that later entries are not mistaken for older ones. */
  @Post('reset')
  @HttpCode(204)
  @Describe({ summary: 'As at the first start: no merchants, no webhooks, nothing queued' })
  async reset(): Promise<void> {
    await this.sender.setPaused(true);
    const tables = sandboxEntities.map((entity) => this.database.repository(entity).metadata.tableName);
    await this.database.query(`TRUNCATE ${tables.join(', ')}`);
    this.tenants.forget();
    await this.faults.start();
    await this.switches.start();
    await this.sender.setPaused(false);
  }
}
