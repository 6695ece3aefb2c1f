export { dropAnchor, readAnchor } from './anchor.js';
export { agentArtefact, checkpointArtefact } from './artefact-name.js';
export type { Artefact, ArtefactPage } from './artefact-folder.js';
export { type ArtefactDesk, Artefacts } from './artefacts.js';
