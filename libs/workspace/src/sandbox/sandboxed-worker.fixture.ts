import { sandboxWorld } from './sandbox.fixture.js';
import type { SandboxWish } from './sandbox.port.js';

/** A worker that runs scripts one after the other, and tells the record of each and how it ended as lines of JSON. */
const [folder = '', wish = 'auto', ...scripts] = process.argv.slice(2);
const tell = (what: unknown): void => console.log(JSON.stringify(what));
const world = await sandboxWorld(folder, (record) => tell({ record }));
for (const script of scripts) {
  const { exitCode, stdout, stderr } = await world.sandboxes.pick(wish as SandboxWish).run(world.shell(script));
  tell({ exitCode, stdout, stderr });
}
