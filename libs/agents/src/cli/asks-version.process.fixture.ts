import { versionOf } from './version-of.js';

const [program = '', path = ''] = process.argv.slice(2);
await versionOf([program], path);
