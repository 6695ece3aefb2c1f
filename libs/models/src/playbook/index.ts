export { openPlaybook, shippedPlaybook } from './open-playbook.js';
export { playbookProvider, type PlaybookParts } from './playbook-provider.js';
export { readPlaybook } from './read-playbook.js';
export type { Playbook } from './playbook.schema.js';
