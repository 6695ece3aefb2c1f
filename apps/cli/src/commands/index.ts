import type { Command } from '../args/command.js';
import { checkpoints } from './checkpoints.js';
import { commands } from './commands.js';
import { decide, verbs } from './decide.js';
import { doctor } from './doctor.js';
import { gates } from './gates.js';
import { list } from './list.js';
import { budget, costs } from './money.js';
import { note } from './note.js';
import { artifacts, diff, events, findings, show } from './reading.js';
import { start } from './start.js';
import { status } from './status.js';
import { steering } from './steer.js';
import { watch } from './watch.js';

/** Every command there is, in the order in which the help has them. */
export const COMMANDS: readonly Command[] = [
  ...[start, watch, list, status],
  ...steering,
  ...[commands, note, gates],
  ...verbs,
  ...[decide, findings, diff, costs, budget, artifacts, show, checkpoints, events, doctor],
];
