import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { type DecideGate, type DecisionAccepted, type Gate, type Page, type PageQuery, routes } from '#contracts';
import { Endpoint } from '../endpoint.js';
import { PROJECT_DESK, PROJECT_READS } from '../http-deps.js';
import type { Operation, ProjectDesk, ProjectReads } from '../ports.js';
import { AsOperation } from '../request/request-state.js';

@Controller()
export class GatesController {
  constructor(
    @Inject(PROJECT_DESK) private readonly desk: ProjectDesk,
    @Inject(PROJECT_READS) private readonly reads: ProjectReads,
  ) {}

  @Endpoint(routes.listGates)
  all(@Query({ schema: routes.listGates.query }) query: PageQuery): Promise<Page<Gate>> {
    return this.reads.openGates(query);
  }

  @Endpoint(routes.projectGates)
  async open(@Param({ schema: routes.projectGates.params }) { id }: { id: string }): Promise<Page<Gate>> {
    return { data: await this.reads.gates(id), nextCursor: null };
  }

  @Endpoint(routes.decideGate)
  decide(
    @Param({ schema: routes.decideGate.params }) { id, name }: { id: string; name: string },
    @Body({ schema: routes.decideGate.body }) decision: DecideGate,
    @AsOperation() operation: Operation,
  ): Promise<DecisionAccepted> {
    return this.desk.decide(id, name, decision, operation);
  }
}
