export * from './detect-setup.js';
