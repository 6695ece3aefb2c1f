import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { type MemoryEntry, type MemoryQuery, type NewMemory, type Page, routes } from '#contracts';
import { Endpoint } from '../endpoint.js';
import { MEMORY_DESK } from '../http-deps.js';
import type { MemoryDesk, Operation } from '../ports.js';
import { AsOperation } from '../request/request-state.js';

@Controller()
export class MemoryController {
  constructor(@Inject(MEMORY_DESK) private readonly memory: MemoryDesk) {}

  @Endpoint(routes.listMemory)
  list(@Query({ schema: routes.listMemory.query }) query: MemoryQuery): Promise<Page<MemoryEntry>> {
    return this.memory.list(query);
  }

  @Endpoint(routes.addMemory)
  add(
    @Body({ schema: routes.addMemory.body }) entry: NewMemory,
    @AsOperation() operation: Operation,
  ): Promise<MemoryEntry> {
    return this.memory.add(entry, operation.id);
  }

  @Endpoint(routes.forgetMemory)
  forget(@Param({ schema: routes.forgetMemory.params }) { id }: { id: string }): Promise<void> {
    return this.memory.forget(id);
  }
}
