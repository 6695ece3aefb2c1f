import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import {
  type ChangeWebhook,
  type DeliveryQuery,
  type NewWebhook,
  type Page,
  type RotateSecret,
  routes,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookQuery,
  type WebhookWithSecret,
} from '#contracts';
import { Endpoint } from '../endpoint.js';
import { WEBHOOK_DESK } from '../http-deps.js';
import type { Operation, WebhookDesk } from '../ports.js';
import { AsOperation } from '../request/request-state.js';

@Controller()
export class WebhooksController {
  constructor(@Inject(WEBHOOK_DESK) private readonly webhooks: WebhookDesk) {}

  @Endpoint(routes.createWebhook)
  create(
    @Body({ schema: routes.createWebhook.body }) order: NewWebhook,
    @AsOperation() operation: Operation,
  ): Promise<WebhookWithSecret> {
    return this.webhooks.create(order, operation);
  }

  @Endpoint(routes.listWebhooks)
  list(@Query({ schema: routes.listWebhooks.query }) query: WebhookQuery): Promise<Page<WebhookEndpoint>> {
    return this.webhooks.list(query);
  }

  @Endpoint(routes.getWebhook)
  get(@Param({ schema: routes.getWebhook.params }) { id }: { id: string }): Promise<WebhookEndpoint> {
    return this.webhooks.get(id);
  }

  @Endpoint(routes.changeWebhook)
  change(
    @Param({ schema: routes.changeWebhook.params }) { id }: { id: string },
    @Body({ schema: routes.changeWebhook.body }) change: ChangeWebhook,
  ): Promise<WebhookEndpoint> {
    return this.webhooks.change(id, change);
  }

  @Endpoint(routes.removeWebhook)
  remove(@Param({ schema: routes.removeWebhook.params }) { id }: { id: string }): Promise<void> {
    return this.webhooks.remove(id);
  }

  @Endpoint(routes.rotateWebhookSecret)
  rotate(
    @Param({ schema: routes.rotateWebhookSecret.params }) { id }: { id: string },
    @Body({ schema: routes.rotateWebhookSecret.body }) wish: RotateSecret,
  ): Promise<WebhookWithSecret> {
    return this.webhooks.rotateSecret(id, wish);
  }

  @Endpoint(routes.testWebhook)
  test(@Param({ schema: routes.testWebhook.params }) { id }: { id: string }): Promise<WebhookDelivery> {
    return this.webhooks.test(id);
  }

  @Endpoint(routes.listDeliveries)
  deliveries(
    @Param({ schema: routes.listDeliveries.params }) { id }: { id: string },
    @Query({ schema: routes.listDeliveries.query }) query: DeliveryQuery,
  ): Promise<Page<WebhookDelivery>> {
    return this.webhooks.deliveries(id, query);
  }

  @Endpoint(routes.redeliver)
  redeliver(
    @Param({ schema: routes.redeliver.params }) { id, deliveryId }: { id: string; deliveryId: string },
  ): Promise<WebhookDelivery> {
    return this.webhooks.redeliver(id, deliveryId);
  }
}
