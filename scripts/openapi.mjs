// Writes docs/openapi.json from the built contracts: node scripts/openapi.mjs (after a build).
import { writeFileSync } from 'node:fs';
import { openApiText } from '../dist/libs/contracts/src/index.js';

writeFileSync(new URL('../docs/openapi.json', import.meta.url), openApiText());
