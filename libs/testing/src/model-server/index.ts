export { startModelServer, type ModelServer, type ModelServerOptions } from './model-server.js';
export type {
  CallBody,
  Fault,
  ModelCall,
  OtherRequest,
  Protocol,
  Reply,
  Script,
  ScriptedStop,
  ScriptedToolCall,
} from './reply.js';
export { byTurn, inOrder, type ScriptOptions } from './scripts.js';
export { roomIn } from './deliver.js';
