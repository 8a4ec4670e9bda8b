import type { AddressInfo } from 'node:net';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { SandboxConfig } from '../config.ts';
import { filePath, type StoredFile } from '../files/stored-file.ts';
import type { Storefront } from '../orders/order.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Tenant } from '../tenants/tenants.repository.ts';

/** Merchants' shops, and the address of the sandbox's files. */
@Injectable()
export class Storefronts {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly switches: SwitchBoard,
    @Inject(CONFIG) private readonly config: SandboxConfig,
  ) {}

  of({ shop }: Pick<Tenant, 'shop'>): Storefront {
    const { registrationField, fractionOfCent } = this.switches.behaviour;
    return { ...shop, baseUrl: this.baseUrl(), registrationField, fractionOfCent };
  }

  urlOf(file: Pick<StoredFile, 'id' | 'fileName'>): string {
    return `${this.baseUrl()}${filePath(file)}`;
  }

  /** Without a trailing slash. */
  private baseUrl(): string {
    const { publicUrl } = this.config.settings;
    if (publicUrl !== null) return publicUrl;
    const server = this.adapterHost.httpAdapter.getHttpServer() as { address(): AddressInfo | null };
    return `http://127.0.0.1:${server.address()?.port ?? 0}`;
  }
}
