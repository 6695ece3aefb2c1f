// Writes docs/machines.md from the built tables: `npm run build && node scripts/render-machines.mjs`.
import { writeFileSync } from 'node:fs';
import { documentedMachines, renderMachinesPage } from '../dist/libs/modes/src/index.js';

writeFileSync(new URL('../docs/machines.md', import.meta.url), renderMachinesPage(documentedMachines));
