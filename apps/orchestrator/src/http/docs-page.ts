import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { openApiDocument } from '#contracts';
import type { Logger } from '#telemetry';
import { ProblemFilter } from './problem/problem.filter.js';

@Module({})
class DocsModule {}

/** The page for people who explore the API. It costs 18 MB of memory, so it is loaded when somebody first looks at it. */
export function docsPage(logger: Logger) {
  let page: Promise<Express> | undefined;
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!/^\/docs(\/|$)/.test(request.path)) {
      next();
      return;
    }
    page ??= load(logger);
    page.then((serve) => void serve(request, response), next);
  };
}

async function load(logger: Logger): Promise<Express> {
  const { SwaggerModule } = await import('@nestjs/swagger');
  const server = express();
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.create<NestExpressApplication>(DocsModule, new ExpressAdapter(server), options);
  app.disable('x-powered-by');
  app.useGlobalFilters(new ProblemFilter(logger));
  const document = openApiDocument() as unknown as OpenAPIObject;
  SwaggerModule.setup('docs', app, document, { raw: false, customSiteTitle: 'QRALPH' });
  await app.init();
  return server;
}
