import { basename, dirname } from 'node:path';
import type { Capability, CapabilitySource, Diagnostic } from '#contracts';
import { sha256Hex } from '#kernel';
import type { FoundAgent, FoundSkill } from '../found.js';
import { cleanText, type Fields, listField, nameOf, textField } from './fields.js';
import { frontMatterOf } from './front-matter.js';
import { tierOf } from './tier.js';

const LONGEST_DESCRIPTION = 2_000;
/** What the format of skills allows. */
const LONGEST_SKILL_DESCRIPTION = 1_024;
const MOST_INSTRUCTIONS = 32 * 1024;
const COMMA_OR_SPACE = /[\s,]/;
const COMMA = /[,\n]/;
/** Blanks, control characters and marks that nobody sees say nothing. */
const SAYS_SOMETHING = /[^\s\p{C}]/u;

export interface CapabilityFile {
  readonly kind: 'agent' | 'skill';
  /** As it is shown. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly source: CapabilitySource;
  readonly plugin: string | null;
  say(level: Diagnostic['level'], message: string): void;
}

/** Null where the file offers nothing, which was said then. */
export function readCapability(file: CapabilityFile): FoundAgent | FoundSkill | null {
  if (file.bytes.includes(0)) return none(file, 'is no text');
  const { fields, body, warnings } = frontMatterOf(file.bytes.toString('utf8'));
  const description = textField(fields, 'description');
  if (description === null || !SAYS_SOMETHING.test(description))
    return none(file, [...warnings, 'has no description'].join('; '));
  const name = nameIn(fields, file);
  if (name === '') return none(file, 'has no name, and its path gives none');
  for (const warning of warnings) file.say('warning', warning);
  const category = textField(fields, 'category');
  const capability: Capability = {
    kind: file.kind,
    name,
    description: describedAs(description, file),
    source: file.source,
    path: file.path,
    hash: sha256Hex(file.bytes),
    plugin: file.plugin,
    category: category === null ? null : nameOf(category) || null,
    tier: file.kind === 'agent' ? tierIn(fields, file) : null,
    tools: toolsIn(fields, file.kind),
    isCritical: false,
  };
  const keywords = new Set((listField(fields, 'keywords', COMMA) ?? []).map((word) => word.toLowerCase()));
  return { ...capability, instructions: instructionsOf(body, file), keywords: [...keywords] };
}

function none(file: CapabilityFile, why: string): null {
  file.say('skipped', why);
  return null;
}

/** Identity is the `name` of the file; where there is none, the file's own, or that of the skill's folder. */
function nameIn(fields: Fields, file: CapabilityFile): string {
  const written = textField(fields, 'name');
  const place = file.kind === 'skill' ? basename(dirname(file.path)) : basename(file.path).replace(/\.md$/i, '');
  const name = nameOf(written ?? '');
  if (name === '') {
    file.say('warning', `has no name that could be used, and goes by that of its path`);
    return nameOf(place);
  }
  if (name !== written) file.say('warning', `has a name with other characters than a-z, 0-9 and -: it goes by ${name}`);
  if (file.kind === 'skill' && name !== place) file.say('warning', `is named ${name}, unlike its folder`);
  return name;
}

function describedAs(description: string, file: CapabilityFile): string {
  const most = file.kind === 'skill' ? LONGEST_SKILL_DESCRIPTION : LONGEST_DESCRIPTION;
  if (description.length > most) file.say('warning', `has a description of more than ${String(most)} characters`);
  return cleanText(description, LONGEST_DESCRIPTION);
}

function tierIn(fields: Fields, file: CapabilityFile): Capability['tier'] {
  const model = textField(fields, 'model');
  const tier = tierOf(model);
  if (model !== null && tier === null && model.trim() !== 'inherit') {
    file.say('warning', `names a model that is of no known tier: ${model.slice(0, 100)}`);
  }
  return tier;
}

function toolsIn(fields: Fields, kind: 'agent' | 'skill'): string[] | null {
  const tools = listField(fields, kind === 'skill' ? 'allowed-tools' : 'tools', COMMA_OR_SPACE);
  return tools === null || tools.includes('*') ? null : [...tools];
}

function instructionsOf(body: string, file: CapabilityFile): string {
  const bytes = Buffer.from(body.trim());
  if (bytes.length <= MOST_INSTRUCTIONS) return bytes.toString();
  file.say('warning', `has more than ${String(MOST_INSTRUCTIONS)} bytes of instructions: the rest is not read`);
  // Cut between characters: a byte of the form 10xxxxxx goes on with one that began before it.
  let end = MOST_INSTRUCTIONS;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}
