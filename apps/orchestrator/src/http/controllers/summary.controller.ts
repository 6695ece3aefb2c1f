import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { routes } from '#contracts';
import { Endpoint } from '../endpoint.js';
import { SUMMARY_READS } from '../http-deps.js';
import type { SummaryReads } from '../ports.js';

@Controller()
export class SummaryController {
  constructor(@Inject(SUMMARY_READS) private readonly summaries: SummaryReads) {}

  /** JSON, unless the caller would rather have text. */
  @Endpoint(routes.projectSummary)
  async get(
    @Param({ schema: routes.projectSummary.params }) { id }: { id: string },
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const summary = await this.summaries.of(id);
    response.vary('Accept');
    const wish = request.accepts(['application/json', 'text/markdown', 'text/plain']);
    if (wish === 'text/markdown' || wish === 'text/plain') response.type(wish).send(this.summaries.text(summary));
    else response.json(summary);
  }
}
