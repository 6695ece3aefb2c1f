export { openSandboxes } from './open-sandboxes.js';
export * from './sandbox.port.js';
