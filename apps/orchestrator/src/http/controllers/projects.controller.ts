import { Body, Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  type CommandAccepted,
  type EventQuery,
  type GiveCommand,
  type GivenCommand,
  type Page,
  type PageQuery,
  type Project,
  type ProjectQuery,
  routes,
  type StartedProject,
  type StartProject,
} from '#contracts';
import { humanRequired } from '../auth/access.guard.js';
import { Endpoint } from '../endpoint.js';
import { EventStreams } from '../events/event-streams.js';
import { COMMAND_READS, PROJECT_DESK, PROJECT_READS } from '../http-deps.js';
import type { CommandReads, Operation, ProjectDesk, ProjectReads } from '../ports.js';
import { AsOperation } from '../request/request-state.js';

@Controller()
export class ProjectsController {
  constructor(
    @Inject(PROJECT_DESK) private readonly desk: ProjectDesk,
    @Inject(PROJECT_READS) private readonly reads: ProjectReads,
    @Inject(COMMAND_READS) private readonly commands: CommandReads,
    @Inject(EventStreams) private readonly streams: EventStreams,
  ) {}

  @Endpoint(routes.startProject)
  start(
    @Body({ schema: routes.startProject.body }) order: StartProject,
    @AsOperation() operation: Operation,
  ): Promise<StartedProject> {
    return this.desk.start(asPermitted(order, operation), operation);
  }

  @Endpoint(routes.listProjects)
  list(@Query({ schema: routes.listProjects.query }) query: ProjectQuery): Promise<Page<Project>> {
    return this.reads.list(query);
  }

  @Endpoint(routes.getProject)
  get(@Param({ schema: routes.getProject.params }) { id }: { id: string }): Promise<Project> {
    return this.reads.get(id);
  }

  @Endpoint(routes.projectEvents)
  events(
    @Param({ schema: routes.projectEvents.params }) { id }: { id: string },
    @Query({ schema: routes.projectEvents.query }) query: EventQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.answer(id, query, request, response);
  }

  @Endpoint(routes.commandProject)
  command(
    @Param({ schema: routes.commandProject.params }) { id }: { id: string },
    @Body({ schema: routes.commandProject.body }) { command, checkpoint }: GiveCommand,
    @AsOperation() operation: Operation,
  ): Promise<CommandAccepted> {
    return this.desk.command(id, command, operation, checkpoint);
  }

  @Endpoint(routes.listCommands)
  async given(
    @Param({ schema: routes.listCommands.params }) { id }: { id: string },
    @Query({ schema: routes.listCommands.query }) query: PageQuery,
  ): Promise<Page<GivenCommand>> {
    return this.commands.list(await this.reads.idOf(id), query);
  }
}

/** Only a person may take a person's say away. */
function asPermitted(order: StartProject, { by }: Operation): StartProject {
  if (by.principal === 'human' || !Object.values(order.gates ?? {}).includes(false)) return order;
  throw humanRequired('Switching a gate off');
}
