import { BadRequestException, Controller, ForbiddenException, Get, Query, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { may, mayEverywhere, type Operator } from '../operators/operator.ts';
import { Operators } from '../operators/operators.service.ts';
import { operatorOfRequest, SessionGuard } from '../sessions/session.guard.ts';
import type { ActionEntity } from './action.entity.ts';
import { type ActionFilter, ActionsRepository } from './actions.repository.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const NEWEST = '9223372036854775807';

interface ActionPage {
  readonly items: readonly ActionEntity[];
  /** Value of `after` for the next page; null on the last one. */
  readonly next: string | null;
}

/** Actions of operators, newest first. */
@Controller('actions')
@UseGuards(SessionGuard)
export class ActionsController {
  constructor(
    private readonly actions: ActionsRepository,
    private readonly operators: Operators,
  ) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Query() query: Record<string, unknown>): Promise<ActionPage> {
    const { tenant, subject, after = NEWEST, limit = String(DEFAULT_LIMIT) } = textsOf(query);
    if (!/^\d{1,19}$/.test(after)) throw new BadRequestException('after is the `next` of the page before it');
    if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) {
      throw new BadRequestException(`limit is a whole number from 1 to ${MAX_LIMIT}`);
    }
    const tenants = this.#visibleTo(operatorOfRequest(request), tenant);
    const wanted = Number(limit);
    const found = await this.actions.list({ tenants, subject, before: after, limit: wanted + 1 });
    const items = found.slice(0, wanted);
    return { items, next: found.length > wanted ? (items.at(-1)?.id ?? null) : null };
  }

  /** Those that concern all tenants are for operators who may see all. */
  #visibleTo(operator: Operator, tenant: string | undefined): ActionFilter['tenants'] {
    const seesAll = mayEverywhere(operator, 'see', this.operators.tenants);
    if (tenant === undefined) return seesAll ? undefined : [...operator.rights.keys()];
    if (!may(operator, 'see', tenant)) throw new ForbiddenException();
    return seesAll ? [tenant, null] : [tenant];
  }
}

const NAMES = ['tenant', 'subject', 'after', 'limit'] as const;

function textsOf(query: Record<string, unknown>): Partial<Record<(typeof NAMES)[number], string>> {
  const wrong = Object.entries(query).find(
    ([name, value]) => !NAMES.some((known) => known === name) || typeof value !== 'string',
  );
  if (wrong !== undefined) throw new BadRequestException(`There are the parameters ${NAMES.join(', ')}, each once`);
  return query;
}
