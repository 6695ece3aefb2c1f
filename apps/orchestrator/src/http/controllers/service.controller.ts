import { Controller, Header, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  type Liveness, openApiDocument, type ReadinessReport, routes, type ServiceFacts, type ServiceView,
} from '#contracts'; // prettier-ignore
import type { JsonObject } from '#kernel';
import type { Metrics } from '#telemetry';
import { Endpoint } from '../endpoint.js';
import { METRICS, READINESS, SERVICE_FACTS } from '../http-deps.js';
import type { Readiness } from '../ports.js';
import { callerOf } from '../request/request-state.js';

@Controller()
export class ServiceController {
  constructor(
    @Inject(READINESS) private readonly readiness: Readiness,
    @Inject(METRICS) private readonly figures: Metrics,
    @Inject(SERVICE_FACTS) private readonly facts: ServiceFacts,
  ) {}

  @Endpoint(routes.service)
  service(@Req() request: Request): ServiceView {
    const { keyId, principal, scopes } = callerOf(request);
    return { ...this.facts, caller: { keyId, principal, scopes: [...scopes] } };
  }

  @Endpoint(routes.live)
  live(): Liveness {
    return { status: 'ok' };
  }

  @Endpoint(routes.ready)
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessReport> {
    const checks = await this.readiness.check();
    const isReady = Object.values(checks).every((check) => check.ok);
    response.status(isReady ? 200 : 503);
    return { status: isReady ? 'ready' : 'not-ready', checks };
  }

  @Endpoint(routes.metrics)
  async metrics(@Res() response: Response): Promise<void> {
    response.type(this.figures.contentType).send(await this.figures.render());
  }

  @Endpoint(routes.openApi)
  @Header('Content-Type', 'application/json; charset=utf-8')
  openApi(): JsonObject {
    return openApiDocument();
  }
}
