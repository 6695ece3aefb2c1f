import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineBug, errorMessage, UserError } from '#kernel';
import type { ModelProvider } from '../model.port.js';
import { playbookProvider } from './playbook-provider.js';
import { invalid, readPlaybook } from './read-playbook.js';

const MOST_BYTES = 1024 * 1024;

/** The provider that answers from this file. Throws a UserError where the file is no playbook. */
export function openPlaybook(file: string): ModelProvider {
  return playbookProvider(readPlaybook(contentOf(file), file));
}

/** The one of the demo: in the `playbooks` folder above this file, the same one from source and from `dist`. */
export function shippedPlaybook(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'playbooks', 'demo.yaml');
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) {
      throw new EngineBug('PLAYBOOK_NOT_FOUND', 'this installation has no playbooks/demo.yaml');
    }
  }
}

function contentOf(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const about = fstatSync(handle);
      if (!about.isFile()) throw invalid(file, 'it is no file');
      if (about.size > MOST_BYTES) throw invalid(file, `it has more than ${MOST_BYTES} bytes`);
      return readFileSync(handle, 'utf8');
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw invalid(file, errorMessage(error));
  }
}
