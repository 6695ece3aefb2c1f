export * from './job-catalogue.js';
export * from './open-work-queue.js';
export * from './work-queue.port.js';
export * from './wake-up-queue.js';
