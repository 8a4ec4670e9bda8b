import { Delete, Get, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { FaultBoard, type StoredFault } from '../../application/fault-board.ts';
import { Ids } from '../../application/ids.ts';
import { SwitchBoard } from '../../application/switch-board.ts';
import { DEFAULT_BEHAVIOUR, SwitchesBody, type Behaviour } from '../../domain/behaviour.ts';
import { FaultsBody, type Fault } from '../../domain/faults/fault.ts';
import { isGuid } from '../../domain/guid.ts';
import { TenantsRepository } from '../../outbound/tenants.repository.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID, GUID, listOf, object, ref } from '../openapi/schemas.ts';
import { AdminRoutes, BODY_INVALID } from './admin-routes.decorator.ts';

const TenantBody = z.object({
  contractAccountId: z.string().refine(isGuid, 'must be a GUID'),
  username: z
    .string()
    .min(1)
    .refine((name) => !name.includes(':'), 'must not hold a colon'),
  password: z.string().min(1),
  apiKey: z.string().min(1),
});

/** Merchants, faults and switches. */
@AdminRoutes()
export class AdminSettingsController {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly faults: FaultBoard,
    private readonly switches: SwitchBoard,
    private readonly ids: Ids,
  ) {}

  @Post('tenants')
  @Describe({
    summary: 'Adds a merchant; again with the same contractAccountId: other credentials, the same shop',
    example: { contractAccountId: A_GUID, username: 'erp-one', password: 'secret', apiKey: 'key' },
    status: 201,
    answer: [object({ contractAccountId: GUID }), { contractAccountId: A_GUID }],
    errors: BODY_INVALID,
  })
  async saveTenant(
    @AdminBody(TenantBody) credentials: z.output<typeof TenantBody>,
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
    example: [{ route: '^POST /v1/batch/Products$', kind: 'error-after', times: 1 }],
    status: 201,
    answer: [listOf(ref('SetFault')), [{ id: '1', fault: { kind: 'error-after', times: 1 } }]],
    errors: BODY_INVALID,
  })
  async addFaults(@AdminBody(FaultsBody) faults: readonly Fault[]): Promise<StoredFault[]> {
    return this.faults.add(faults);
  }

  @Delete('faults')
  @HttpCode(204)
  @Describe({ summary: 'Removes all faults', status: 204 })
  async clearFaults(): Promise<void> {
    await this.faults.clear();
  }

  @Get('switches')
  @Describe({
    summary: 'What the platform does where its document leaves it open',
    answer: [ref('Switches'), DEFAULT_BEHAVIOUR],
  })
  behaviour(): Behaviour {
    return this.switches.behaviour;
  }

  @Post('switches')
  @HttpCode(200)
  @Describe({
    summary: 'Changes the switches that are named, for all merchants; they outlive a restart, not a reset',
    example: { transitions: 'strict' },
    answer: [ref('Switches'), { ...DEFAULT_BEHAVIOUR, transitions: 'strict' }],
    errors: BODY_INVALID,
  })
  async change(@AdminBody(SwitchesBody) changed: Partial<Behaviour>): Promise<Behaviour> {
    return this.switches.change(changed);
  }
}
