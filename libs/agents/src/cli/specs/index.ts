import type { CliSpec } from '../cli-spec.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { droid } from './droid.js';
import { opencode } from './opencode.js';

/** Every CLI that an agent can run on. */
export const CLIS: readonly CliSpec[] = [claude, codex, opencode, droid];
