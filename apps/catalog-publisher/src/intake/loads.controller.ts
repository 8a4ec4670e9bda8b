import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { BeginFile } from './begin-file.service.ts';
import { LoadAnswer, LoadPart, LoadRequest, LoadsQuery, LoadWithTrouble, TakenRecords } from './loads.dto.ts';
import { ShowLoads } from './show-loads.service.ts';
import { TakeFile } from './take-file.service.ts';

const NOT_BEGUN = {
  'of-another': {
    code: 'LOAD_OF_ANOTHER',
    message: 'The loadId belongs to another file, or to a load without a file',
  },
  ended: {
    code: 'LOAD_ENDED',
    message: 'The load of this loadId has ended. To load the file again, give a new loadId, or none',
  },
  overtaken: {
    code: 'LOAD_OVERTAKEN',
    message: 'A file of this kind was loaded after this load began. To load this one whole, give a new loadId, or none',
  },
} as const;

/** Shows the progress of loads, and takes files of records. */
@Controller('api/loads')
@UsePipes(RequestPipe)
export class LoadsController {
  constructor(
    private readonly show: ShowLoads,
    private readonly beginFile: BeginFile,
    private readonly files: TakeFile,
    private readonly tenants: CatalogTenants,
  ) {}

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('catalog loads', {
    pt: 'Mostra o andamento das cargas: contagens, ritmo e fim estimado',
    en: 'Shows the progress of loads: counts, rate and estimated end',
  })
  @ApiOperation({ summary: 'Loads with how far each is, newest first' })
  @ApiPageOf(LoadAnswer)
  async list(@Query() query: LoadsQuery): Promise<PageOf<LoadAnswer>> {
    const { before, limit } = pageRequest(query);
    return pageOf(await this.show.list(query.tenant ?? null, before, limit + 1), limit);
  }

  @Get(':loadId')
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('catalog loads/one')
  @ApiOperation({ summary: 'How far a load is, how fast, its estimated end, and what did not enter' })
  @ApiTenantQuery()
  @ApiOkResponse({ description: 'OK', type: LoadWithTrouble })
  @ApiErrors({ 404: 'No record has come with this loadId' })
  async one(@Param('loadId') loadId: string, @Query('tenant', TenantPipe) tenant: string): Promise<LoadWithTrouble> {
    const load = await this.show.one({ tenant, loadId });
    if (load === null) throw new NotFoundException();
    return load;
  }

  @Post()
  @Operation({ unpassed: 'a load is sent by the command line, which resumes it after an interruption' })
  @CommandLine('catalog load', {
    pt: 'Carrega os registros de um arquivo .jsonl ou .csv; um arquivo repetido continua de onde parou e não tem um segundo efeito',
    en: 'Loads the records of a .jsonl or .csv file; a repeated file continues where it stopped and has no second effect',
  })
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begins the load of a file, or goes on with an interrupted one; its records follow part by part',
  })
  @ApiTenantQuery()
  @ApiOkResponse({ description: 'OK', type: LoadWithTrouble })
  @ApiErrors({
    404: 'The tenant is not in the tenants file',
    409: 'The loadId belongs to another file or source, or to a load that ended or was overtaken by another file',
  })
  async begin(
    @Body() { loadId, kind, records, digest }: LoadRequest,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<LoadWithTrouble> {
    if (this.tenants.find(tenant) === undefined) {
      throw new NotFoundException({ code: 'NOT_FOUND', message: 'The tenant is not in the tenants file' });
    }
    const begun = await this.beginFile.run({ tenant, loadId: loadId ?? null, kind, records, digest });
    if (begun.kind === 'begun') return this.one(begun.loadId, tenant);
    throw new ConflictException(NOT_BEGUN[begun.kind]);
  }

  @Post(':loadId/records')
  @Operation({ unpassed: 'a load is sent by the command line, which resumes it after an interruption' })
  @CommandLine('catalog load/records')
  @HttpCode(200)
  @ApiOperation({ summary: 'Stores the next records of a file; each part is stored once' })
  @ApiTenantQuery()
  @ApiOkResponse({ description: 'OK', type: TakenRecords })
  @ApiErrors({
    400: 'The load has more records than announced',
    404: 'No file is loaded under this loadId',
    409: 'Another part is the next one: the load shows how many records it has',
    413: 'The records exceed the size of one request',
  })
  async take(
    @Param('loadId') loadId: string,
    @Body() { from, records }: LoadPart,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<TakenRecords> {
    const taken = await this.files.take({ tenant, loadId }, { from, texts: records });
    if (taken.kind === 'unknown') throw new NotFoundException();
    if (taken.kind === 'too-many') throw new BadRequestException('The load has more records than announced');
    if (taken.kind === 'taken') return { taken: taken.taken, unreadable: taken.unreadable };
    const message = `The load has ${taken.taken} records so far: the next part must begin there`;
    throw new ConflictException({ code: 'NOT_THE_NEXT', message });
  }
}
