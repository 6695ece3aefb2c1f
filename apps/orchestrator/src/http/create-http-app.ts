import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { systemClock } from '#kernel';
import { AccessGuard } from './auth/access.guard.js';
import { Authenticator } from './auth/authenticator.js';
import { ContractPipe } from './body/contract.pipe.js';
import { StrictBodyInterceptor } from './body/strict-body.interceptor.js';
import { docsPage } from './docs-page.js';
import { EventStreams } from './events/event-streams.js';
import { HttpModule } from './http.module.js';
import type { HttpDeps } from './http-deps.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { nestLog } from './nest-log.js';
import { ProblemFilter } from './problem/problem.filter.js';
import { accompany } from './request/accompany.js';
import { hostCheck } from './request/host-check.js';
import { LocationInterceptor } from './request/location.interceptor.js';

/** The whole API, ready to listen. `close()` ends its event streams and lets requests under way finish. */
export async function createHttpApp(deps: HttpDeps): Promise<NestExpressApplication> {
  const { logger, metrics, config, keys, idempotency } = deps;
  const authenticator = new Authenticator(keys, systemClock);
  const app = await NestFactory.create<NestExpressApplication>(HttpModule.forRoot(deps, authenticator), {
    logger: nestLog(logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(accompany(logger, metrics));
  app.use(hostCheck(config));
  app.use(docsPage(logger));
  app.useGlobalGuards(new AccessGuard(authenticator));
  app.useGlobalInterceptors(
    new LocationInterceptor(),
    new StrictBodyInterceptor(),
    new IdempotencyInterceptor(idempotency),
  );
  app.useGlobalPipes(new ContractPipe());
  app.useGlobalFilters(new ProblemFilter(logger));
  await app.init();
  const streams = app.get(EventStreams);
  metrics.watch({ eventStreams: () => streams.size });
  return app;
}
