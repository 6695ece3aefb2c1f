import { join } from 'node:path';
import type { Capability } from '#contracts';
import { errorMessage, type Json, parseJsonStrict, sha256Hex } from '#kernel';
import { cleanText, nameOf } from '../files/fields.js';
import { MOST_FILE_BYTES, type Root } from './root.js';

const MOST_PLUGINS = 200;
const LIMITS = { maxDepth: 32, maxBytes: MOST_FILE_BYTES };
const MANIFEST = join('.claude-plugin', 'plugin.json');
const MARKETPLACE = join('.claude-plugin', 'marketplace.json');
const FOLDER = join('.claude', 'plugins');

export interface FoundPlugin {
  readonly capability: Capability;
  /** Its own folder, relative to the root. Components are in `agents` and `skills` there. */
  readonly folder: string;
}

type Members = Readonly<Record<string, Json>>;
interface Manifest {
  readonly path: string;
  readonly members: Members;
  readonly hash: string;
}

/** The root itself where it is a plugin, those of its marketplace that lie in it, and those in `.claude/plugins`. */
export async function findPlugins(root: Root): Promise<readonly FoundPlugin[]> {
  const found: FoundPlugin[] = [];
  const seen = new Set<string>();
  const add = async (folder: string, entry: Manifest | null): Promise<void> => {
    const real = await root.inside(folder);
    if (real === null || seen.has(real)) return;
    seen.add(real);
    const own = await manifestAt(root, join(folder, MANIFEST));
    const manifest = own ?? entry;
    if (manifest === null) return root.say('skipped', folder, `is no plugin: it has no ${MANIFEST}`);
    if (found.length === MOST_PLUGINS) return root.say('skipped', folder, `is one plugin too many`);
    const capability = capabilityOf(root, { ...manifest, members: { ...entry?.members, ...own?.members } });
    if (capability !== null) found.push({ capability, folder });
  };
  if ((await manifestAt(root, MANIFEST, true)) !== null) await add('.', null);
  await ofMarketplace(root, add);
  const real = await root.inside(FOLDER);
  const folders = real === null ? [] : await root.entriesOf(FOLDER, real);
  for (const { name, isFolder } of folders) if (isFolder) await add(join(FOLDER, name), null);
  return found;
}

async function ofMarketplace(
  root: Root,
  add: (folder: string, entry: Manifest | null) => Promise<void>,
): Promise<void> {
  const market = await manifestAt(root, MARKETPLACE);
  const plugins = market?.members['plugins'] ?? [];
  if (market === null) return;
  if (!Array.isArray(plugins)) return root.say('skipped', MARKETPLACE, 'has plugins that are no list');
  if (plugins.length > MOST_PLUGINS) {
    root.say('skipped', MARKETPLACE, `only its first ${String(MOST_PLUGINS)} plugins are looked at`);
  }
  for (const plugin of (plugins as readonly Json[]).slice(0, MOST_PLUGINS)) {
    const members = membersOf(plugin);
    const source = members?.['source'];
    const named = members?.['name'];
    const called = typeof named === 'string' ? cleanText(named, 100) : 'without a name';
    if (!members || typeof source !== 'string' || !isRelative(source)) {
      root.say('skipped', MARKETPLACE, `the plugin ${called} does not lie in this folder, and nothing is fetched`);
    } else if ((await root.inside(source)) === null) {
      root.say('skipped', MARKETPLACE, `the plugin ${called} is not to be found in this folder, at ${source}`);
    } else await add(join(source), { ...market, members });
  }
}

const isRelative = (source: string): boolean => !/^([/\\~]|[a-z][a-z0-9+.-]*:)/i.test(source);

/** `isQuiet`: it is read again, and then what is odd about it is said. */
async function manifestAt(root: Root, path: string, isQuiet = false): Promise<Manifest | null> {
  const real = await root.inside(path);
  const bytes = real === null ? null : await root.read(real);
  if (typeof bytes === 'string' && !isQuiet) root.say('skipped', path, bytes);
  if (!(bytes instanceof Buffer)) return null;
  try {
    const members = membersOf(parseJsonStrict(bytes.toString('utf8'), LIMITS));
    if (members) return { path, members, hash: sha256Hex(bytes) };
    if (!isQuiet) root.say('skipped', path, 'is no JSON object');
  } catch (error) {
    if (!isQuiet) root.say('skipped', path, errorMessage(error));
  }
  return null;
}

const membersOf = (value: Json): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;

function capabilityOf(root: Root, { path, members, hash }: Manifest): Capability | null {
  const [written, description] = [members['name'], members['description']];
  const name = typeof written === 'string' ? nameOf(written) : '';
  if (name === '') {
    root.say('skipped', path, 'names no plugin');
    return null;
  }
  if (name !== written) root.say('warning', path, `has a name with odd characters: it goes by ${name}`);
  for (const key of ['agents', 'skills']) {
    if (members[key] !== undefined) {
      root.say('warning', path, `says where its ${key} are; only those in its folder ${key} are read`);
    }
  }
  return {
    kind: 'plugin',
    name,
    description: typeof description === 'string' ? cleanText(description, 2_000) : '',
    source: 'plugin',
    path: root.shown(path),
    hash,
    plugin: null,
    category: null,
    tier: null,
    tools: null,
    isCritical: false,
  };
}
