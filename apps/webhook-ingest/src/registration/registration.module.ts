import { PlatformCallReport } from '@gondola/service-kit/platform/platform-call-report';
import { Module } from '@nestjs/common';
import { RegisterWebhook } from './register-webhook.service.ts';
import { RegistrationsRepository } from './registrations.repository.ts';
import { WebhookCertificates } from './webhook-certificates.service.ts';
import { WebhookRegistrar } from './webhook-registrar.adapter.ts';
import { WebhookRegistrationController } from './webhook-registration.controller.ts';

/** `/api/webhook-registration` */
@Module({
  controllers: [WebhookRegistrationController],
  providers: [PlatformCallReport, RegistrationsRepository, WebhookRegistrar, RegisterWebhook, WebhookCertificates],
})
export class RegistrationModule {}
