import { newId } from '#kernel';
import { COMMAND_PATH } from './commands.fixture.js';
import { type CommandLimits, CommandRunner, type ProcessRecord } from './index.js';
import { MemoryRegistry } from './memory-registry.fixture.js';

/** Prints the record of each command that it registers, as a line of JSON. */
class TellingRegistry extends MemoryRegistry {
  override async register(record: ProcessRecord, lease: Parameters<MemoryRegistry['register']>[1]): Promise<boolean> {
    console.log(JSON.stringify(record));
    return super.register(record, lease);
  }
}

const [cwd = '', script = '', limits = '{}'] = process.argv.slice(2);
const lease = { projectId: newId(), workerId: 'killed', epoch: 1 };
await new CommandRunner(new TellingRegistry(lease), { host: 'here', path: COMMAND_PATH }).run({
  file: 'sh',
  args: ['-c', script],
  cwd,
  lease,
  purpose: 'a worker that gets killed',
  timeoutMs: 30_000,
  signal: new AbortController().signal,
  limits: JSON.parse(limits) as CommandLimits,
});
