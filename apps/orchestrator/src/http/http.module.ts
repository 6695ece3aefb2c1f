import { type DynamicModule, Module } from '@nestjs/common';
import type { Authenticator } from './auth/authenticator.js';
import { KeyDesk } from './auth/key-desk.js';
import { ApiKeysController } from './controllers/api-keys.controller.js';
import { CapabilitiesController } from './controllers/capabilities.controller.js';
import { CheckpointsController } from './controllers/checkpoints.controller.js';
import { CostsController } from './controllers/costs.controller.js';
import { GatesController } from './controllers/gates.controller.js';
import { MachinesController } from './controllers/machines.controller.js';
import { MemoryController } from './controllers/memory.controller.js';
import { NotesController } from './controllers/notes.controller.js';
import { PatternsController } from './controllers/patterns.controller.js';
import { ProcessesController } from './controllers/processes.controller.js';
import { ProjectsController } from './controllers/projects.controller.js';
import { ServiceController } from './controllers/service.controller.js';
import { SummaryController } from './controllers/summary.controller.js';
import { TeamController } from './controllers/team.controller.js';
import { WebhooksController } from './controllers/webhooks.controller.js';
import { WorkspaceController } from './controllers/workspace.controller.js';
import { EventStreams } from './events/event-streams.js';
import { IdempotencySweep } from './idempotency/idempotency-sweep.js';
import { Patience } from './request/patience.js';
import {
  BUDGET_DESK,
  CAPABILITY_READS,
  CHECKPOINT_READS,
  COMMAND_READS,
  COST_READS,
  type HttpDeps,
  MEMORY_DESK,
  METRICS,
  NOTE_DESK,
  PATTERN_READS,
  PROCESS_READS,
  PROJECT_DESK,
  PROJECT_READS,
  READINESS,
  SERVICE_FACTS,
  SUMMARY_READS,
  TEAM_READS,
  WEBHOOK_DESK,
  WORKSPACE_READS,
} from './http-deps.js';

@Module({})
export class HttpModule {
  static forRoot(deps: HttpDeps, authenticator: Authenticator): DynamicModule {
    const { desk, reads, eventLog, checkpoints, readiness, metrics, logger, keys, idempotency, mostStreams } = deps;
    return {
      module: HttpModule,
      controllers: [
        ProjectsController,
        GatesController,
        CheckpointsController,
        MachinesController,
        ApiKeysController,
        WorkspaceController,
        SummaryController,
        TeamController,
        CostsController,
        MemoryController,
        NotesController,
        WebhooksController,
        ProcessesController,
        PatternsController,
        CapabilitiesController,
        ServiceController,
      ],
      providers: [
        { provide: PROJECT_DESK, useValue: desk },
        { provide: PROJECT_READS, useValue: reads },
        { provide: CHECKPOINT_READS, useValue: checkpoints },
        { provide: COMMAND_READS, useValue: deps.commands },
        { provide: WORKSPACE_READS, useValue: deps.workspaces },
        { provide: SUMMARY_READS, useValue: deps.summaries },
        { provide: TEAM_READS, useValue: deps.teams },
        { provide: COST_READS, useValue: deps.costs },
        { provide: BUDGET_DESK, useValue: deps.budgets },
        { provide: MEMORY_DESK, useValue: deps.memory },
        { provide: NOTE_DESK, useValue: deps.notes },
        { provide: WEBHOOK_DESK, useValue: deps.webhooks },
        { provide: PROCESS_READS, useValue: deps.processes },
        { provide: PATTERN_READS, useValue: deps.patterns },
        { provide: CAPABILITY_READS, useValue: deps.capabilities },
        { provide: READINESS, useValue: readiness },
        { provide: SERVICE_FACTS, useValue: deps.facts },
        { provide: METRICS, useValue: metrics },
        { provide: KeyDesk, useValue: new KeyDesk(keys, authenticator) },
        { provide: IdempotencySweep, useFactory: () => new IdempotencySweep(idempotency, logger) },
        Patience,
        { provide: EventStreams, useFactory: () => new EventStreams(reads, eventLog, logger, mostStreams) },
      ],
    };
  }
}
