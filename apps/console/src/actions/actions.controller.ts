import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { Controller, ForbiddenException, Get, Query, Req, UseGuards, UsePipes } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { may, mayEverywhere, type Operator } from '../operators/operator.ts';
import { Operators } from '../operators/operators.service.ts';
import { BY_SESSION, GUARDED } from '../sessions/session-answers.dto.ts';
import { operatorOfRequest, SessionGuard } from '../sessions/session.guard.ts';
import { ActionPage, ActionsQuery, DEFAULT_LIMIT } from './actions.dto.ts';
import { type ActionFilter, ActionsRepository } from './actions.repository.ts';

const NEWEST = '9223372036854775807';

/** Actions of operators, newest first. */
@Controller('actions')
@UseGuards(SessionGuard)
@UsePipes(RequestPipe)
export class ActionsController {
  constructor(
    private readonly actions: ActionsRepository,
    private readonly operators: Operators,
  ) {}

  @Get()
  @ApiOperation({ ...BY_SESSION, summary: 'What operators did, newest first' })
  @ApiOkResponse({ description: 'OK', type: ActionPage })
  @ApiErrors({ ...GUARDED, 400: 'A parameter is wrong', 403: 'The operator may not see this shop' })
  async list(@Req() request: FastifyRequest, @Query() query: ActionsQuery): Promise<ActionPage> {
    const { tenant, subject, after = NEWEST, limit } = query;
    const tenants = this.#visibleTo(operatorOfRequest(request), tenant);
    const wanted = Number(limit ?? DEFAULT_LIMIT);
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
