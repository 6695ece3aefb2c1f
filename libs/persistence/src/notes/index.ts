export * from './give-note.js';
export * from './pg-notes.js';
