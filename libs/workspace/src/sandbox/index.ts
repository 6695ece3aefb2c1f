export * from './open-sandboxes.js';
export { removeFolder } from './remove-folder.js';
export * from './sandbox.port.js';
