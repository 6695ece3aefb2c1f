import { describe, expect, it } from 'vitest';
import { filesBelow, isTestCode, sourcesBelow, textOf } from './source-files.js';

const MOST_LINES = 300;
const NAMES_OF_MACHINES = /\b(qralph|drill|errand|coding|classic)\b/i;
/** Folders of somebody's machine: home folders, and the place where this was once built. */
const HOME_PATH = new RegExp(`(?<![\\w.$}])/(${['home', 'Users', 'root', 'work'].join('|')})/\\w`);
const MAY_READ_ENVIRONMENT = ['libs/config/', 'libs/testing/', 'test/'];
const BINARY = /\.(png|ico|woff2?)$/;

const sources = ['libs', 'apps', 'test'].flatMap(sourcesBelow);
const linesOf = (path: string): number => textOf(path).trimEnd().split('\n').length;

describe('the text of the repository', () => {
  it(`has no source file of more than ${String(MOST_LINES)} lines`, () => {
    const long = sources.filter((path) => linesOf(path) > MOST_LINES);
    expect(long.map((path) => `${path}: ${String(linesOf(path))}`)).toEqual([]);
  });

  it('names no machine in the engine', () => {
    const engine = sourcesBelow('libs/engine').filter((path) => !isTestCode(path));
    expect(engine.filter((path) => NAMES_OF_MACHINES.test(textOf(path)))).toEqual([]);
  });

  it('reads the environment in libs/config only', () => {
    const others = sources.filter((path) => !MAY_READ_ENVIRONMENT.some((folder) => path.startsWith(folder)));
    const readers = others.filter((path) => /\bprocess\s*\.\s*env\b/.test(textOf(path)) && !path.endsWith('.spec.ts'));
    expect(readers).toEqual([]);
  });

  it('deletes in one way only what commands may have written in', () => {
    const those = ['libs/workspace', 'libs/agents', 'apps'].flatMap(sourcesBelow).filter((path) => !isTestCode(path));
    const deleters = those.filter((path) => /\brm(Sync)?\([^;]*recursive: true/.test(textOf(path)));
    expect(deleters).toEqual([]);
  });

  it('carries no path of a home folder', () => {
    const texts = filesBelow('.').filter((path) => !BINARY.test(path));
    expect(texts.filter((path) => HOME_PATH.test(textOf(path)))).toEqual([]);
  });

  it('mocks no module in a unit spec: those of a worker share their modules', () => {
    const specs = sources.filter((path) => path.endsWith('.spec.ts') && /^(libs|apps|test\/rules)\//.test(path));
    const units = specs.filter((path) => !path.endsWith('.integration.spec.ts'));
    expect(units.length).toBeGreaterThan(0);
    expect(units.filter((path) => /\bvi\.(mock|doMock|resetModules)\(/.test(textOf(path)))).toEqual([]);
  });

  it('silences no tool and skips no test', () => {
    const marks = ['eslint' + '-disable', '@ts-' + 'ignore', '@ts-' + 'nocheck', 'it.' + 'skip(', 'it.' + 'only('];
    const silenced = sources.filter((path) => marks.some((mark) => textOf(path).includes(mark)));
    expect(silenced).toEqual([]);
  });
});
