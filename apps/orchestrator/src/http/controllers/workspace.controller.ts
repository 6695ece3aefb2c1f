import { Controller, Inject, Param } from '@nestjs/common';
import { type Artifact, type ArtifactContent, type Page, type ProjectDiff, routes } from '#contracts';
import { Endpoint } from '../endpoint.js';
import { PROJECT_READS, WORKSPACE_READS } from '../http-deps.js';
import type { ProjectReads, WorkspaceReads } from '../ports.js';

@Controller()
export class WorkspaceController {
  constructor(
    @Inject(PROJECT_READS) private readonly projects: ProjectReads,
    @Inject(WORKSPACE_READS) private readonly workspaces: WorkspaceReads,
  ) {}

  @Endpoint(routes.projectDiff)
  async diff(@Param({ schema: routes.projectDiff.params }) { id }: { id: string }): Promise<ProjectDiff> {
    return this.workspaces.diff(await this.projects.get(id));
  }

  @Endpoint(routes.listArtifacts)
  async list(@Param({ schema: routes.listArtifacts.params }) { id }: { id: string }): Promise<Page<Artifact>> {
    return { data: await this.workspaces.artifacts(await this.projects.get(id)), nextCursor: null };
  }

  @Endpoint(routes.getArtifact)
  async get(
    @Param({ schema: routes.getArtifact.params }) { id, name }: { id: string; name: string },
  ): Promise<ArtifactContent> {
    return this.workspaces.artifact(await this.projects.get(id), name);
  }
}
