import type { FoundAgent } from '../found.js';
import { smallerTier } from './tier.js';

/** What the service's tools are called in files of this kind. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  read_file: ['read', 'view', 'notebookread'],
  list_files: ['glob', 'ls', 'list'],
  search: ['grep'],
  edit_file: ['edit', 'multiedit', 'notebookedit'],
  write_file: ['write'],
  run: ['bash', 'shell'],
};
const OWN_NAMES = new Map(Object.entries(OTHER_NAMES).flatMap(([own, names]) => names.map((name) => [name, own])));

/** The service's own name of a tool, `run` for `Bash(git log:*)`; as it is where the service has no such tool. */
export function toolNamed(tool: string): string {
  const name = (tool.split('(', 1)[0] ?? '').trim().toLowerCase();
  return OWN_NAMES.get(name) ?? name;
}

/** Whoever goes under the name of a built-in agent may do with fewer tools and a smaller model, never with more. */
export function narrowed(agent: FoundAgent, builtIn: FoundAgent): FoundAgent {
  const allowed = builtIn.tools?.map(toolNamed);
  const tools = agent.tools ?? builtIn.tools;
  return {
    ...agent,
    tools: tools?.filter((tool) => allowed?.includes(toolNamed(tool)) ?? true) ?? null,
    tier: smallerTier(agent.tier, builtIn.tier),
  };
}
