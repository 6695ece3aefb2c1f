export * from './sabotage.js';
export * from './simulate.js';
