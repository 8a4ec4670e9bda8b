import { Module, type DynamicModule } from '@nestjs/common';
import { AcceptOperation } from './application/accept-operation.ts';
import { ApplyBrand } from './application/apply-brand.step.ts';
import { ApplyCategoryTree } from './application/apply-category-tree.step.ts';
import { ApplyLooseRecord } from './application/apply-loose-record.step.ts';
import { ApplyOrderStatus } from './application/apply-order-status.step.ts';
import { ApplyPicking } from './application/apply-picking.step.ts';
import { ApplyProduct } from './application/apply-product.step.ts';
import { AttachImages } from './application/attach-images.step.ts';
import { AttachInvoice } from './application/attach-invoice.step.ts';
import { CancelOrder } from './application/cancel-order.step.ts';
import { Clock } from './application/clock.ts';
import { CORE_STEPS, type CoreStep } from './application/core.step.ts';
import { CoreWorker } from './application/core.worker.ts';
import { Doorbells } from './application/doorbell.ts';
import { FaultBoard } from './application/fault-board.ts';
import { FileRefusals } from './application/file-refusals.ts';
import { FileStore } from './application/file-store.ts';
import { HistoryKeeper } from './application/history.keeper.ts';
import { Ids } from './application/ids.ts';
import { Invoicing } from './application/invoicing.ts';
import { MoveByPlatform } from './application/move-by-platform.step.ts';
import { MoveOrder } from './application/move-order.ts';
import { Notifier } from './application/notifier.ts';
import { OrderChanges } from './application/order-changes.ts';
import { PlatformCourse } from './application/platform-course.ts';
import { PlayShopper } from './application/play-shopper.ts';
import { Quiet } from './application/quiet.ts';
import { RegisterInvoice } from './application/register-invoice.step.ts';
import { RemoveBrand } from './application/remove-brand.step.ts';
import { RemoveFiles } from './application/remove-files.step.ts';
import { ResetSandbox } from './application/reset-sandbox.ts';
import { SendRaw } from './application/send-raw.ts';
import { Storefronts } from './application/storefronts.ts';
import { SwitchBoard } from './application/switch-board.ts';
import { UndoImages } from './application/undo-images.step.ts';
import { WebhookSender } from './application/webhook.sender.ts';
import { SANDBOX_SETTINGS, type SandboxSettings } from './config.ts';
import { AdminBrandsAndCategoriesController } from './inbound/admin/brands-and-categories.controller.ts';
import { ChosenTenant } from './inbound/admin/chosen-tenant.ts';
import { AdminControlController } from './inbound/admin/control.controller.ts';
import { AdminFaultsController } from './inbound/admin/faults.controller.ts';
import { AdminLogsController } from './inbound/admin/logs.controller.ts';
import { AdminOpenApiController } from './inbound/admin/openapi.controller.ts';
import { AdminOperationsController } from './inbound/admin/operations.controller.ts';
import { AdminOrdersController } from './inbound/admin/orders.controller.ts';
import { AdminProductsController } from './inbound/admin/products.controller.ts';
import { AdminRecordsController } from './inbound/admin/records.controller.ts';
import { AdminSwitchesController } from './inbound/admin/switches.controller.ts';
import { AdminTenantsController } from './inbound/admin/tenants.controller.ts';
import { FilesController } from './inbound/files.controller.ts';
import { BrandsController } from './inbound/platform/brands.controller.ts';
import { CategoriesController } from './inbound/platform/categories.controller.ts';
import { CoreOrdersController } from './inbound/platform/core-orders.controller.ts';
import { FormUploads } from './inbound/platform/form-uploads.ts';
import { ImagesController } from './inbound/platform/images.controller.ts';
import { InvoiceFilesController } from './inbound/platform/invoice-files.controller.ts';
import { InvoicingController } from './inbound/platform/invoicing.controller.ts';
import { LooseBatchesController } from './inbound/platform/loose-batches.controller.ts';
import { OrdersController } from './inbound/platform/orders.controller.ts';
import { PickingController } from './inbound/platform/picking.controller.ts';
import { ProductsController } from './inbound/platform/products.controller.ts';
import { StoredFilesController } from './inbound/platform/stored-files.controller.ts';
import { WebhookPayloadsController } from './inbound/platform/webhook-payloads.controller.ts';
import { WebhooksController } from './inbound/platform/webhooks.controller.ts';
import { CategoriesRepository } from './outbound/categories.repository.ts';
import { DeliveriesRepository } from './outbound/deliveries.repository.ts';
import { FilesRepository } from './outbound/files.repository.ts';
import { OperationLogRepository } from './outbound/operation-log.repository.ts';
import { OperationsRepository } from './outbound/operations.repository.ts';
import { OrdersRepository } from './outbound/orders.repository.ts';
import { ProductsRepository } from './outbound/products.repository.ts';
import { PublicUrl } from './outbound/public-url.ts';
import { TenantsRepository } from './outbound/tenants.repository.ts';

const PLATFORM = [
  BrandsController,
  CategoriesController,
  ProductsController,
  LooseBatchesController,
  OrdersController,
  WebhookPayloadsController,
  PickingController,
  InvoicingController,
  InvoiceFilesController,
  ImagesController,
  StoredFilesController,
  FilesController,
  CoreOrdersController,
  WebhooksController,
];

const ADMIN = [
  AdminTenantsController,
  AdminOrdersController,
  AdminProductsController,
  AdminBrandsAndCategoriesController,
  AdminRecordsController,
  AdminLogsController,
  AdminOperationsController,
  AdminFaultsController,
  AdminSwitchesController,
  AdminControlController,
  AdminOpenApiController,
];

/** Every route of the sandbox's own. */
export const CONTROLLERS = [...PLATFORM, ...ADMIN];

/** One per kind of asynchronous operation. */
const STEPS = [
  ApplyBrand,
  RemoveBrand,
  ApplyCategoryTree,
  ApplyProduct,
  ApplyLooseRecord,
  ApplyOrderStatus,
  ApplyPicking,
  CancelOrder,
  RegisterInvoice,
  AttachInvoice,
  AttachImages,
  UndoImages,
  RemoveFiles,
  MoveByPlatform,
];

const USE_CASES = [
  AcceptOperation,
  MoveOrder,
  OrderChanges,
  PlatformCourse,
  Invoicing,
  FileRefusals,
  Storefronts,
  FormUploads,
  PublicUrl,
  PlayShopper,
  Notifier,
];

const ADMIN_USE_CASES = [ChosenTenant, SendRaw, Quiet, ResetSandbox];

const WORKERS = [Ids, SwitchBoard, FaultBoard, FileStore, CoreWorker, WebhookSender, HistoryKeeper, Doorbells, Clock];

const REPOSITORIES = [
  TenantsRepository,
  ProductsRepository,
  CategoriesRepository,
  OrdersRepository,
  FilesRepository,
  OperationsRepository,
  OperationLogRepository,
  DeliveriesRepository,
];

@Module({})
export class AppModule {
  static with(settings: SandboxSettings): DynamicModule {
    return {
      module: AppModule,
      controllers: CONTROLLERS,
      providers: [
        { provide: SANDBOX_SETTINGS, useValue: settings },
        { provide: CORE_STEPS, useFactory: (...steps: CoreStep[]) => steps, inject: STEPS },
        ...STEPS,
        ...USE_CASES,
        ...ADMIN_USE_CASES,
        ...WORKERS,
        ...REPOSITORIES,
      ],
    };
  }
}
