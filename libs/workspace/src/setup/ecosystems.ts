/** How one tool keeps dependencies: its lock file, what installs them, and where they are afterwards. */
export interface Tool {
  readonly name: ToolName;
  /** Tools of one language stand in for each other: the first whose lock file is there is taken. */
  readonly language: Language;
  readonly lockFile: string;
  readonly command: string;
  /** Folder in the root of the worktree that the command fills; null where everything goes into caches below HOME. */
  readonly folder: string | null;
  /** Other spellings of the command; where the folder is brought in they have nothing left to do. */
  readonly alike?: readonly string[];
}

export type Language = 'javascript' | 'python' | 'go' | 'rust' | 'java' | 'php' | 'ruby';

export type ToolName =
  | 'npm'
  | 'pnpm'
  | 'yarn-classic'
  | 'yarn-berry'
  | 'bun'
  | 'uv'
  | 'poetry'
  | 'pipenv'
  | 'pip'
  | 'go'
  | 'cargo'
  | 'maven'
  | 'gradle'
  | 'composer'
  | 'bundler';

const NPM = { name: 'npm', language: 'javascript', command: 'npm ci', folder: 'node_modules' } as const;
const NPM_ALIKE = ['npm install', 'npm i', 'npm clean-install', 'npm ci --no-audit --no-fund'];

const VENV = 'python3 -m venv .venv';

/** In the order in which they are asked. */
export const TOOLS: readonly Tool[] = [
  // npm itself prefers a shrinkwrap.
  { ...NPM, lockFile: 'npm-shrinkwrap.json', alike: NPM_ALIKE },
  { ...NPM, lockFile: 'package-lock.json', alike: NPM_ALIKE },
  {
    name: 'pnpm',
    language: 'javascript',
    lockFile: 'pnpm-lock.yaml',
    command: 'pnpm install --frozen-lockfile',
    folder: 'node_modules',
    alike: ['pnpm install', 'pnpm i', 'pnpm i --frozen-lockfile'],
  },
  {
    name: 'yarn-classic',
    language: 'javascript',
    lockFile: 'yarn.lock',
    command: 'yarn install --frozen-lockfile',
    folder: 'node_modules',
    alike: ['yarn', 'yarn install', 'yarn --frozen-lockfile'],
  },
  {
    name: 'yarn-berry',
    language: 'javascript',
    lockFile: 'yarn.lock',
    command: 'yarn install --immutable',
    folder: 'node_modules',
    alike: ['yarn', 'yarn install', 'yarn --immutable'],
  },
  ...['bun.lock', 'bun.lockb'].map((lockFile): Tool => ({
    name: 'bun',
    language: 'javascript',
    lockFile,
    command: 'bun install --frozen-lockfile',
    folder: 'node_modules',
  })),
  {
    name: 'uv',
    language: 'python',
    lockFile: 'uv.lock',
    command: 'uv sync --frozen',
    folder: '.venv',
    alike: ['uv sync'],
  },
  {
    name: 'poetry',
    language: 'python',
    lockFile: 'poetry.lock',
    command: 'poetry install --no-interaction',
    folder: '.venv',
    alike: ['poetry install'],
  },
  {
    name: 'pipenv',
    language: 'python',
    lockFile: 'Pipfile.lock',
    command: 'pipenv sync --dev',
    folder: '.venv',
    alike: ['pipenv sync', 'pipenv install --deploy'],
  },
  {
    name: 'pip',
    language: 'python',
    lockFile: 'requirements.txt',
    command: `${VENV} && .venv/bin/python -m pip install -r requirements.txt`,
    folder: '.venv',
  },
  { name: 'go', language: 'go', lockFile: 'go.sum', command: 'go mod download', folder: null },
  { name: 'cargo', language: 'rust', lockFile: 'Cargo.lock', command: 'cargo fetch --locked', folder: null },
  {
    // Which plug-ins a test run needs only a test run knows; whether the tests pass is not asked here.
    name: 'maven',
    language: 'java',
    lockFile: 'pom.xml',
    command: 'mvn -B test -Dmaven.test.failure.ignore=true',
    folder: null,
  },
  ...['build.gradle', 'build.gradle.kts'].map((lockFile): Tool => ({
    name: 'gradle',
    language: 'java',
    lockFile,
    command: 'gradle --console=plain testClasses',
    folder: null,
  })),
  {
    name: 'composer',
    language: 'php',
    lockFile: 'composer.lock',
    command: 'composer install --no-interaction --no-progress',
    folder: 'vendor',
    alike: ['composer install'],
  },
  {
    name: 'bundler',
    language: 'ruby',
    lockFile: 'Gemfile.lock',
    command: 'BUNDLE_FROZEN=true bundle install',
    folder: 'vendor/bundle',
    alike: ['bundle install', 'bundle'],
  },
];

/** Wrappers that a repository brings along are the version that it wants. */
export const WRAPPERS: Readonly<Partial<Record<ToolName, { readonly file: string; readonly instead: string }>>> = {
  maven: { file: 'mvnw', instead: 'mvn' },
  gradle: { file: 'gradlew', instead: 'gradle' },
};
