import type { Command } from '../args/command.js';
import { decide, verbs } from './decide.js';
import { gates } from './gates.js';
import { list } from './list.js';
import { start } from './start.js';
import { steering } from './steer.js';
import { watch } from './watch.js';

/** Every command there is, in the order in which the help has them. */
export const COMMANDS: readonly Command[] = [start, watch, list, ...steering, gates, ...verbs, decide];
