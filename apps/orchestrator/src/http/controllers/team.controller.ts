import { Controller, Inject, Param, Query } from '@nestjs/common';
import {
  type Finding,
  type FindingQuery,
  type HealProblem,
  type Page,
  type PageQuery,
  type ProjectTask,
  routes,
  type Team,
  type TeamMessage,
} from '#contracts';
import { Endpoint } from '../endpoint.js';
import { PROJECT_READS, TEAM_READS } from '../http-deps.js';
import type { ProjectReads, TeamReads } from '../ports.js';

@Controller()
export class TeamController {
  constructor(
    @Inject(PROJECT_READS) private readonly projects: ProjectReads,
    @Inject(TEAM_READS) private readonly teams: TeamReads,
  ) {}

  @Endpoint(routes.projectTeam)
  async team(@Param({ schema: routes.projectTeam.params }) { id }: { id: string }): Promise<Team> {
    return this.teams.team(await this.projects.idOf(id));
  }

  @Endpoint(routes.listTasks)
  async tasks(
    @Param({ schema: routes.listTasks.params }) { id }: { id: string },
    @Query({ schema: routes.listTasks.query }) query: PageQuery,
  ): Promise<Page<ProjectTask>> {
    return this.teams.tasks(await this.projects.idOf(id), query);
  }

  @Endpoint(routes.listMessages)
  async messages(
    @Param({ schema: routes.listMessages.params }) { id }: { id: string },
    @Query({ schema: routes.listMessages.query }) query: PageQuery,
  ): Promise<Page<TeamMessage>> {
    return this.teams.messages(await this.projects.idOf(id), query);
  }

  @Endpoint(routes.listFindings)
  async findings(
    @Param({ schema: routes.listFindings.params }) { id }: { id: string },
    @Query({ schema: routes.listFindings.query }) query: FindingQuery,
  ): Promise<Page<Finding>> {
    return this.teams.findings(await this.projects.idOf(id), query);
  }

  @Endpoint(routes.listProblems)
  async problems(
    @Param({ schema: routes.listProblems.params }) { id }: { id: string },
    @Query({ schema: routes.listProblems.query }) query: PageQuery,
  ): Promise<Page<HealProblem>> {
    return this.teams.problems(await this.projects.idOf(id), query);
  }
}
