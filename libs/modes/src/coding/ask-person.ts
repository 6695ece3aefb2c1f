import type { Report } from '#engine';
import type { JsonObject } from '#kernel';
import { type Block, blocked } from '../shared/block.js';

/** The project blocks, with its cause; what was decided at an earlier block has been heeded, and counts no more. */
export const askPerson = (block: Block, patch: JsonObject = {}, event?: string): Report =>
  blocked(block, { ...patch, decision: null }, event);
