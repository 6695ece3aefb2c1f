export { type Note, noNotes, type Notes } from './notes.port.js';
