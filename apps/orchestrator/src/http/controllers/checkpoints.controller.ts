import { Controller, Inject, Param, Query } from '@nestjs/common';
import {
  type Checkpoint,
  type CheckpointDetail,
  type Page,
  type PageQuery,
  type Project,
  routes,
  type VerifyResult,
} from '#contracts';
import { Endpoint } from '../endpoint.js';
import { CHECKPOINT_READS, PROJECT_DESK, PROJECT_READS } from '../http-deps.js';
import type { CheckpointReads, Operation, ProjectDesk, ProjectReads } from '../ports.js';
import { AsOperation } from '../request/request-state.js';

@Controller()
export class CheckpointsController {
  constructor(
    @Inject(PROJECT_DESK) private readonly desk: ProjectDesk,
    @Inject(PROJECT_READS) private readonly reads: ProjectReads,
    @Inject(CHECKPOINT_READS) private readonly chain: CheckpointReads,
  ) {}

  @Endpoint(routes.listCheckpoints)
  async list(
    @Param({ schema: routes.listCheckpoints.params }) { id }: { id: string },
    @Query({ schema: routes.listCheckpoints.query }) query: PageQuery,
  ): Promise<Page<Checkpoint>> {
    return this.chain.list(await this.reads.idOf(id), query);
  }

  @Endpoint(routes.getCheckpoint)
  async get(
    @Param({ schema: routes.getCheckpoint.params }) { id, seq }: { id: string; seq: number },
  ): Promise<CheckpointDetail> {
    return this.chain.read(await this.reads.idOf(id), seq);
  }

  @Endpoint(routes.verifyCheckpoints)
  verify(@Param({ schema: routes.verifyCheckpoints.params }) { id }: { id: string }): Promise<VerifyResult> {
    return this.desk.verify(id);
  }

  @Endpoint(routes.restoreCheckpoint)
  restore(
    @Param({ schema: routes.restoreCheckpoint.params }) { id, seq }: { id: string; seq: number },
    @AsOperation() operation: Operation,
  ): Promise<Project> {
    return this.desk.restore(id, seq, operation);
  }

  @Endpoint(routes.forkCheckpoint)
  fork(
    @Param({ schema: routes.forkCheckpoint.params }) { id, seq }: { id: string; seq: number },
    @AsOperation() operation: Operation,
  ): Promise<Project> {
    return this.desk.fork(id, seq, operation);
  }
}
