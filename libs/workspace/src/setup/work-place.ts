import { join } from 'node:path';

/** A worktree as the place where commands run. */
export interface WorkPlace {
  readonly folder: string;
  /** HOME of its commands, of this worktree alone. It outlives them: what set-up puts into caches serves later ones. */
  readonly home: string;
  /** Folders of the worktree that nothing may write to: their files are the user's own. */
  readonly readOnly: readonly string[];
  /** Folders below those that are the worktree's own, such as caches. */
  readonly writable: readonly string[];
}

/** Where tools keep what they fetch and make; all of it below the worktree's own HOME. */
export function placeEnvironment({ home }: Pick<WorkPlace, 'home'>): Readonly<Record<string, string>> {
  return {
    HOME: home,
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    // Nobody is there to answer or to watch.
    CI: 'true',
    npm_config_cache: join(home, '.npm'),
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    PIP_CACHE_DIR: join(home, '.cache/pip'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    POETRY_VIRTUALENVS_IN_PROJECT: 'true',
    PIPENV_VENV_IN_PROJECT: '1',
    UV_CACHE_DIR: join(home, '.cache/uv'),
    BUNDLE_PATH: 'vendor/bundle',
    COMPOSER_HOME: join(home, '.composer'),
    GOPATH: join(home, 'go'),
    GOCACHE: join(home, '.cache/go-build'),
    GOTOOLCHAIN: 'local',
    CARGO_HOME: join(home, '.cargo'),
    GRADLE_USER_HOME: join(home, '.gradle'),
    // The Java runtime takes the home folder from the user database, not from HOME.
    MAVEN_OPTS: `-Dmaven.repo.local=${join(home, '.m2/repository')}`,
  };
}
