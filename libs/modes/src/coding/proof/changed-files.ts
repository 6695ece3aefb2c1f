import { type DiffFile, isManifest, isTestConfiguration, isTestFile } from '#workspace';

/** The files of a diff by what they mean for a proof. */
export interface ChangedFiles {
  /** Tests, their data and test configuration of the base that were changed, renamed or deleted. */
  readonly oldTests: readonly string[];
  readonly newTestFiles: readonly string[];
  /** Test configuration that the base does not have. Runners load it by its name, so it bears on the base's tests. */
  readonly newTestConfiguration: readonly string[];
  /** Neither tests nor texts. A base run takes these and the documents from the base. */
  readonly sources: readonly string[];
  readonly documents: readonly string[];
  /** Manifests and lock files, under their old names too. */
  readonly manifests: readonly string[];
  readonly touchesCode: boolean;
  readonly touchesTests: boolean;
  readonly touchesManifests: boolean;
  readonly touchesDocuments: boolean;
}

const TEXT = /\.(?:md|mdx|markdown|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS)$/i;
const DOCUMENT_FOLDER = /(?:^|\/)(?:docs?|documentation)\//i;
/** Code of the tools that publish the documents. A program may load any other code that lies among them. */
const PUBLISHING =
  /^(?:docs?|documentation)\/(?:[^/]+\/)*(?:\.[^/]+\/|(?:conf\.py|sidebars?\.[cm]?[jt]s|[\w-]+\.config\.[cm]?[jt]s)$)/i;
const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kts?|scala|groovy|rb|php|cs|swift|c|h|cc|cpp|hpp|sh)$|(?:^|\/)CMakeLists\.txt$/i;

export const isDocumentFile = (path: string): boolean =>
  PUBLISHING.test(path) || (!CODE.test(path) && (TEXT.test(path) || DOCUMENT_FOLDER.test(path)));

/** Values that tests compare with, and other files that only tests read. */
const TEST_DATA =
  /(?:^|\/)(?:__(?:tests|snapshots|fixtures)__|tests?|specs?|e2e|testdata|fixtures?|goldens?)\/|\.snap(?:shot)?$/;
const ABOUT_FOLDER = /(?:^|\/)(?:readme|license|changelog)[^/]*$/i;
const isTestData = (path: string): boolean => TEST_DATA.test(path) && !CODE.test(path) && !ABOUT_FOLDER.test(path);

export type FileChange = Pick<DiffFile, 'path' | 'status' | 'from'>;

export function sortChangedFiles({ files }: { readonly files: readonly FileChange[] }): ChangedFiles {
  // A manifest is more than test configuration: it is never taken from another commit.
  const isTest = (path: string): boolean =>
    isTestFile(path) || ((isTestConfiguration(path) || isTestData(path)) && !isManifest(path));
  const paths = files.flatMap(({ path, from }) => (from === null ? [path] : [path, from]));
  const old = files.flatMap(({ path, from, status }) => (status === 'added' ? [] : [from ?? path]));
  const manifests = paths.filter(isManifest);
  const touchesManifests = manifests.length > 0;
  const touchesTests = paths.some(isTest);
  const sources = paths.filter((path) => !isTest(path) && !isManifest(path) && !isDocumentFile(path));
  const documents = paths.filter((path) => !isTest(path) && !isManifest(path) && isDocumentFile(path));
  return {
    oldTests: old.filter(isTest),
    newTestFiles: files.flatMap(({ path, status }) => (status === 'added' && isTestFile(path) ? [path] : [])),
    newTestConfiguration: files.flatMap(({ path, status }) =>
      status === 'added' && isTestConfiguration(path) && !isManifest(path) ? [path] : [],
    ),
    sources,
    documents,
    manifests,
    // A manifest that changes with tests is there for the tests, unless its content says otherwise.
    touchesCode: sources.length > 0 || (touchesManifests && !touchesTests),
    touchesTests,
    touchesManifests,
    touchesDocuments: paths.some(isDocumentFile),
  };
}
