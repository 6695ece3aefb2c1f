import { Controller, Inject, Param } from '@nestjs/common';
import { type LiveProcess, type Page, routes } from '#contracts';
import { Endpoint } from '../endpoint.js';
import { PROCESS_READS, PROJECT_READS } from '../http-deps.js';
import type { ProcessReads, ProjectReads } from '../ports.js';

@Controller()
export class ProcessesController {
  constructor(
    @Inject(PROJECT_READS) private readonly projects: ProjectReads,
    @Inject(PROCESS_READS) private readonly processes: ProcessReads,
  ) {}

  @Endpoint(routes.listProcesses)
  async all(): Promise<Page<LiveProcess>> {
    return { data: await this.processes.list(), nextCursor: null };
  }

  @Endpoint(routes.projectProcesses)
  async ofProject(
    @Param({ schema: routes.projectProcesses.params }) { id }: { id: string },
  ): Promise<Page<LiveProcess>> {
    return { data: await this.processes.list(await this.projects.idOf(id)), nextCursor: null };
  }
}
