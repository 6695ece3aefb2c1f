import type { Json, Redactor } from '#kernel';
import { redactedJson } from '../api/redacted-json.js';
import { isDeeperThan } from '../json-depth.js';

/** What CLIs report is a few counts by model. */
const DEEPEST = 8;
const MOST_CHARS = 16 * 1024;

/** What a CLI says that it used goes into the journal: without secrets, and not at all where it is no such report. */
export function reportedUsage(usage: Json, redactor: Redactor): Json {
  if (isDeeperThan(DEEPEST, usage) || JSON.stringify(usage).length > MOST_CHARS) return null;
  return redactedJson(usage, redactor);
}
