export { readAnchor } from './anchor.js';
export { agentArtefact, checkpointArtefact } from './artefact-name.js';
export type { Artefact, ArtefactBytes, ArtefactPage } from './artefact-folder.js';
export { type ArtefactDesk, type ArtefactPlace, Artefacts } from './artefacts.js';
