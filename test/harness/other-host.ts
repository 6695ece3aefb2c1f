import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preloaded with `node --import` into a service process: it takes itself to be on the host HOST_NAME, and so do all who
 * meet it in the database. Its neighbours cannot see whether it lives and must wait until its lease has run out.
 */
const name = process.env['HOST_NAME'];
if (name === undefined) throw new Error('HOST_NAME is not set');
os.hostname = () => name;
syncBuiltinESMExports();
