// Writes the configuration table of README.md from the built schema: node scripts/readme-config.mjs (after a build).
import { readFileSync, writeFileSync } from 'node:fs';
import { configTable } from '../dist/libs/config/src/index.js';

const readme = new URL('../README.md', import.meta.url);
const BLOCK = /(<!-- config:begin[^>]*-->\n)[\s\S]*?(<!-- config:end -->)/;
const text = readFileSync(readme, 'utf8');
if (!BLOCK.test(text)) throw new Error('README.md has lost its markers config:begin and config:end');
writeFileSync(
  readme,
  text.replace(BLOCK, (_, begin, end) => `${begin}\n${configTable()}\n${end}`),
);
