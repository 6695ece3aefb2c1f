export * from './admit-command.js';
export * from './command-events.js';
