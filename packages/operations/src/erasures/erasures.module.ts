import { type DynamicModule, Module, type Type } from '@nestjs/common';

import { EraseOrder } from './erase-order.service.ts';
import { ErasuresController } from './erasures.controller.ts';
import { OrderContent } from '@gondola/lanes/erased-orders/order-content';

/** `/api/erasures`, for an app that stores data about orders. Requires `MessagingModule`. */
@Module({})
export class ErasuresModule {
  /** `content` erases the rows of the app's own tables; `imports` provide its dependencies. */
  static register(content: Type<OrderContent>, imports: readonly Type[] = []): DynamicModule {
    return {
      module: ErasuresModule,
      imports: [...imports],
      controllers: [ErasuresController],
      providers: [{ provide: OrderContent, useClass: content }, EraseOrder],
    };
  }
}
