import type { CommandPlace } from './api/runtime-parts.js';

/** In the command's own /tmp, which ends with it. */
const HOME = '/tmp/home';

/** Folders that tools write to even if they only read. They are thrown away. */
const THROW_AWAY: Readonly<Record<string, string>> = {
  HOME,
  XDG_CACHE_HOME: `${HOME}/.cache`,
  XDG_CONFIG_HOME: `${HOME}/.config`,
  XDG_DATA_HOME: `${HOME}/.local/share`,
  npm_config_cache: `${HOME}/.npm`,
  PIP_CACHE_DIR: `${HOME}/.cache/pip`,
  UV_CACHE_DIR: `${HOME}/.cache/uv`,
  GOCACHE: `${HOME}/.cache/go-build`,
  COMPOSER_HOME: `${HOME}/.composer`,
  PYTHONDONTWRITEBYTECODE: '1',
};

/** The place of commands that must change nothing. Only a sandbox that hides files keeps this. */
export const readOnlyPlace = ({ writable, readable = [], env = {} }: CommandPlace): CommandPlace => ({
  writable: [],
  readable: [...readable, ...writable],
  env: { ...env, ...THROW_AWAY },
});
