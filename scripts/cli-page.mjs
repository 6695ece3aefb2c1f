// Writes the generated part of docs/cli.md from the built commands: node scripts/cli-page.mjs (after a build).
import { readFileSync, writeFileSync } from 'node:fs';
import { cliPage } from '../dist/apps/cli/src/args/cli-page.js';

const page = new URL('../docs/cli.md', import.meta.url);
const BLOCK = /(<!-- cli:begin[^>]*-->\n)[\s\S]*?(<!-- cli:end -->)/;
const text = readFileSync(page, 'utf8');
if (!BLOCK.test(text)) throw new Error('docs/cli.md has lost its markers cli:begin and cli:end');
writeFileSync(
  page,
  text.replace(BLOCK, (_, begin, end) => `${begin}\n${cliPage()}\n${end}`),
);
