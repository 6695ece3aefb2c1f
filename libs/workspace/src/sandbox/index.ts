export * from './sandbox.port.js';
