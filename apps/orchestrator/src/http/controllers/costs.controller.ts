import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import {
  type ChangeBudget,
  type CostGroup,
  type CostQuery,
  type Page,
  type PageQuery,
  type Project,
  type ProjectCosts,
  routes,
} from '#contracts';
import { Endpoint } from '../endpoint.js';
import { BUDGET_DESK, COST_READS, PROJECT_READS } from '../http-deps.js';
import type { BudgetDesk, CostReads, Operation, ProjectReads } from '../ports.js';
import { AsOperation } from '../request/request-state.js';

@Controller()
export class CostsController {
  constructor(
    @Inject(PROJECT_READS) private readonly reads: ProjectReads,
    @Inject(COST_READS) private readonly costs: CostReads,
    @Inject(BUDGET_DESK) private readonly budgets: BudgetDesk,
  ) {}

  @Endpoint(routes.projectCosts)
  async ofProject(
    @Param({ schema: routes.projectCosts.params }) { id }: { id: string },
    @Query({ schema: routes.projectCosts.query }) query: PageQuery,
  ): Promise<ProjectCosts> {
    return this.costs.ofProject(await this.reads.idOf(id), query);
  }

  @Endpoint(routes.listCosts)
  groups(@Query({ schema: routes.listCosts.query }) query: CostQuery): Promise<Page<CostGroup>> {
    return this.costs.groups(query);
  }

  @Endpoint(routes.changeBudget)
  change(
    @Param({ schema: routes.changeBudget.params }) { id }: { id: string },
    @Body({ schema: routes.changeBudget.body }) caps: ChangeBudget,
    @AsOperation() operation: Operation,
  ): Promise<Project> {
    return this.budgets.change(id, caps, operation);
  }
}
