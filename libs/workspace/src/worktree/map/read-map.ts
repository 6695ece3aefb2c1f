import type { Redactor } from '#kernel';
import type { Checkout } from '../checkout.js';
import type { RepositoryMap } from '../worktree.port.js';
import { renderConventions } from './conventions.js';
import { chooseFiles, LONGEST_MAP, renderMap } from './repository-map.js';

const MOST_SOURCES = 300;
const LONGEST_SOURCE = 64 * 1_024;
/** For manifests and conventions. */
const LONGEST_DOCUMENT = 256 * 1_024;
const MOST_BYTES = 4 * 1_024 * 1_024;
const LONGEST_LISTING = 32 * 1_024 * 1_024;
/** `100644 blob <id>\t<path>`; links (120000) have no text of their own. */
const ENTRY = /^(\d{6}) \w+ ([0-9a-f]{40,64})\t([^]+)$/;
const PLAIN_FILE = /^100/;
/** Artifacts of projects, which are no part of the repository's own files. */
const ARTIFACTS = '.qralph/';

/** By path; the id is null for a file that must not be read. */
type Listing = ReadonlyMap<string, string | null>;

/** Maps the files of HEAD with three processes of git, however many files there are. */
export async function readMap(checkout: Checkout, redactor: Redactor): Promise<RepositoryMap> {
  const { listing, isCut } = await listFiles(checkout);
  const paths = [...listing.keys()];
  const { conventions, manifests, sources } = chooseFiles(paths);
  const ids = (all: readonly string[]): readonly string[] => all.flatMap((path) => listing.get(path) ?? []);
  const blobs = await readBlobs(checkout, ids([...conventions, ...manifests]), ids(sources));

  const textsOf = (all: readonly string[], change = (text: string): string => text): readonly [string, string][] =>
    all.flatMap((path) => {
      const text = blobs.get(listing.get(path) ?? '');
      return text === undefined ? [] : [[path, change(text)]];
    });
  const redact = (text: string): string => redactor.redact(text);
  const texts = new Map([...textsOf(manifests, redact), ...textsOf(sources)]);
  return {
    map: redact(renderMap({ paths, texts, isCut })).slice(0, LONGEST_MAP),
    // Redacted before they are cut: half a secret is not recognized.
    conventions: renderConventions(new Map(textsOf(conventions, redact))),
  };
}

async function listFiles(checkout: Checkout): Promise<{ readonly listing: Listing; readonly isCut: boolean }> {
  const list = ['ls-tree', '-r', '-z', '--full-tree', 'HEAD'];
  const { stdout, isCut } = await checkout.git(list, { cutAtBytes: LONGEST_LISTING });
  const entries = stdout.toString('utf8').split('\0').slice(0, -1);
  const listing = new Map<string, string | null>();
  for (const entry of entries) {
    const [, mode = '', id = '', path = ''] = ENTRY.exec(entry) ?? [];
    if (path !== '' && !path.startsWith(ARTIFACTS)) listing.set(path, PLAIN_FILE.test(mode) ? id : null);
  }
  return { listing, isCut };
}

/** The texts of these objects by id, without those that are too long. Documents go before sources. */
async function readBlobs(
  checkout: Checkout,
  documents: readonly string[],
  sources: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const sizes = await readSizes(checkout, [...documents, ...sources]);
  let left = MOST_BYTES;
  const choose = (ids: readonly string[], longest: number, most: number): readonly string[] =>
    ids
      .filter((id) => (sizes.get(id) ?? Infinity) <= longest)
      .slice(0, most)
      .filter((id) => (left -= sizes.get(id) ?? 0) >= 0);
  const chosen = [
    ...choose(documents, LONGEST_DOCUMENT, documents.length),
    ...choose(sources, LONGEST_SOURCE, MOST_SOURCES),
  ];
  if (chosen.length === 0) return new Map();
  const { stdout } = await checkout.git(['cat-file', '--batch'], { input: asLines(chosen) });
  return parseBatch(stdout);
}

async function readSizes(checkout: Checkout, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const { stdout } = await checkout.git(['cat-file', '--batch-check'], { input: asLines(ids) });
  const lines = stdout.toString('utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, id, size] = /^(\w+) blob (\d+)$/.exec(line) ?? [];
      return id === undefined ? [] : [[id, Number(size)] as const];
    }),
  );
}

const asLines = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join('');

/** `<id> blob <size>\n<content>\n` for each object; `<id> missing\n` for one that is not there. */
function parseBatch(output: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf('\n', at);
    if (end < 0) break;
    const [id = '', type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    texts.set(id, output.toString('utf8', at, at + Number(size)));
    at += Number(size) + 1;
  }
  return texts;
}
