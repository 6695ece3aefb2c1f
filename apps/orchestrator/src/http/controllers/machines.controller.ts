import { Controller, Inject, Param } from '@nestjs/common';
import { type MachineView, type Page, routes } from '#contracts';
import { UserError } from '#kernel';
import { Endpoint } from '../endpoint.js';
import { PROJECT_DESK } from '../http-deps.js';
import type { ProjectDesk } from '../ports.js';

@Controller()
export class MachinesController {
  constructor(@Inject(PROJECT_DESK) private readonly desk: ProjectDesk) {}

  @Endpoint(routes.listMachines)
  async list(): Promise<Page<MachineView>> {
    return { data: await this.desk.machines(), nextCursor: null };
  }

  @Endpoint(routes.getMachine)
  async get(@Param({ schema: routes.getMachine.params }) { name }: { name: string }): Promise<MachineView> {
    return (await this.desk.machines()).find((machine) => machine.name === name) ?? unknownMachine(name);
  }
}

function unknownMachine(name: string): never {
  throw new UserError('MACHINE_NOT_FOUND', `There is no machine ${name}. GET /v1/machines lists them.`);
}
