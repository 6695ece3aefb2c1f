import { Controller, Inject, Query } from '@nestjs/common';
import { type HealPattern, type Page, type PatternQuery, routes } from '#contracts';
import { Endpoint } from '../endpoint.js';
import { PATTERN_READS } from '../http-deps.js';
import type { PatternReads } from '../ports.js';

@Controller()
export class PatternsController {
  constructor(@Inject(PATTERN_READS) private readonly patterns: PatternReads) {}

  @Endpoint(routes.listPatterns)
  list(@Query({ schema: routes.listPatterns.query }) query: PatternQuery): Promise<Page<HealPattern>> {
    return this.patterns.list(query);
  }
}
