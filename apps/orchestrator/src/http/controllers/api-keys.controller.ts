import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { type ApiKey, type CreateApiKey, type NewApiKey, type Page, type PageQuery, routes } from '#contracts';
import { KeyDesk } from '../auth/key-desk.js';
import { Endpoint } from '../endpoint.js';

@Controller()
export class ApiKeysController {
  constructor(@Inject(KeyDesk) private readonly keys: KeyDesk) {}

  @Endpoint(routes.createApiKey)
  create(@Body({ schema: routes.createApiKey.body }) order: CreateApiKey): Promise<NewApiKey> {
    return this.keys.create(order);
  }

  @Endpoint(routes.listApiKeys)
  list(@Query({ schema: routes.listApiKeys.query }) query: PageQuery): Promise<Page<ApiKey>> {
    return this.keys.list(query);
  }

  @Endpoint(routes.revokeApiKey)
  revoke(@Param({ schema: routes.revokeApiKey.params }) { id }: { id: string }): Promise<void> {
    return this.keys.revoke(id);
  }
}
