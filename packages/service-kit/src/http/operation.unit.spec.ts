import { Controller, Get, Module, Post } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { OpenApiDocument } from './openapi-document.ts';
import { Operation, OPERATION_MEMBER } from './operation.ts';
import { shelfApp } from '../testing/shelf-app.ts';

const RELEASE = { role: 'act', tenant: 'body', action: { name: 'release-shelf', subject: 'id' } } as const;

@Controller('api/shelves')
class DefinedController {
  @Post(':id/release')
  @Operation(RELEASE)
  release(): object {
    return {};
  }
}

@Controller('api/shelves')
class UndefinedController {
  @Post(':id/release')
  @Operation(RELEASE)
  release(): object {
    return {};
  }

  @Get()
  list(): object {
    return {};
  }
}

@Controller()
class WholePathController {
  @Get('api/shelves')
  list(): object {
    return {};
  }

  @Get('shelves')
  page(): object {
    return {};
  }
}

@Module({ controllers: [DefinedController] })
class DefinedModule {}

@Module({ controllers: [UndefinedController, WholePathController] })
class UndefinedModule {}

describe('a route of an operations API', () => {
  it('shows its definition in the OpenAPI document', async () => {
    const { app } = await shelfApp([], { module: DefinedModule });
    const { paths } = await app.get(OpenApiDocument).content();
    expect(paths['/api/shelves/{id}/release']!.post).toMatchObject({ [OPERATION_MEMBER]: RELEASE });
    await app.close();
  });

  it('does not start without one, and is named', async () => {
    await expect(shelfApp([], { module: UndefinedModule })).rejects.toThrow(
      'Routes without @Operation: UndefinedController.list, WholePathController.list',
    );
  });
});
