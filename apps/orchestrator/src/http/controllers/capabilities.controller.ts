import { Controller, Inject, Query } from '@nestjs/common';
import { type Capabilities, type CapabilityQuery, routes } from '#contracts';
import { Endpoint } from '../endpoint.js';
import { CAPABILITY_READS } from '../http-deps.js';
import type { CapabilityReads } from '../ports.js';

@Controller()
export class CapabilitiesController {
  constructor(@Inject(CAPABILITY_READS) private readonly capabilities: CapabilityReads) {}

  @Endpoint(routes.listCapabilities)
  list(@Query({ schema: routes.listCapabilities.query }) { repo }: CapabilityQuery): Promise<Capabilities> {
    return this.capabilities.of(repo);
  }
}
