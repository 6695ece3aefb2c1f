import { describe, expect, it } from 'vitest';
import { configTable } from '#config';
import { cliPage } from '../../apps/cli/src/args/cli-page.js';
import { filesBelow, textOf } from './source-files.js';

const TABLE = /<!-- config:begin[^>]*-->\n\n([\s\S]*?)\n<!-- config:end -->/;
const CLI_PAGE = /<!-- cli:begin[^>]*-->\n\n([\s\S]*?)\n<!-- cli:end -->/;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?\)/g;

describe('the documentation', () => {
  it('has the configuration table of the schema; `npm run generate` makes it fresh', () => {
    expect(squeezed(TABLE.exec(textOf('README.md'))?.[1] ?? '')).toBe(squeezed(configTable()));
  });

  it('has the help of every command of the command line; `npm run generate` makes it fresh', () => {
    expect(squeezed(CLI_PAGE.exec(textOf('docs/cli.md'))?.[1] ?? '')).toBe(squeezed(cliPage()));
  });

  it('links only to files that exist', () => {
    const files = new Set(filesBelow('.'));
    const pages = [...files].filter((path) => path.endsWith('.md'));
    const dead = pages.flatMap((page) =>
      [...textOf(page).matchAll(LINK)]
        .map(([, target = '']) => new URL(target, `file:///${page}`).pathname.slice(1))
        .filter(
          (target) =>
            !files.has(target) && ![...files].some((file) => file.startsWith(`${target.replace(/\/$/, '')}/`)),
        )
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = filesBelow('.')
      .filter((path) => path.endsWith('.md'))
      .flatMap((page) => [...textOf(page).matchAll(/\bnpm run ([a-z-]+)/g)].map(([, name = '']) => ({ page, name })));
    expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

/** Prettier pads the columns of a table; the words are what counts. */
const squeezed = (table: string): string => table.replace(/ +/g, ' ').replace(/-{3,}/g, '---').trim();
