import type { Capabilities, Capability } from '#contracts';
import { builtInTeam, discover } from '#discovery';
import { allowedRepository } from '#workspace';
import type { CapabilityReads } from '../http/index.js';

/** Looks anew each time: what is in the files now is what the next project is given. */
export class FoundCapabilities implements CapabilityReads {
  constructor(private readonly config: { readonly repoRoots: readonly string[]; readonly agentsDir: string | null }) {}

  async of(path: string): Promise<Capabilities> {
    const repo = await allowedRepository(path, this.config.repoRoots);
    const found = await discover({ repo, userFolder: this.config.agentsDir, builtIn: builtInTeam() });
    return {
      repo,
      agents: found.agents.map(shown),
      skills: found.skills.map(shown),
      plugins: [...found.plugins],
      diagnostics: [...found.diagnostics],
    };
  }
}

/** Without the instructions, which are long and for models. */
const shown = ({ instructions: _, keywords: __, ...capability }: Capability & Instructed): Capability => capability;

interface Instructed {
  readonly instructions: string;
  readonly keywords: readonly string[];
}
