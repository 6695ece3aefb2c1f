export { agentArtefact, checkpointArtefact, isArtefactName } from './artefact-name.js';
export { type Artefact, ArtefactFolder, type ArtefactFolderParts, LONGEST_ARTEFACT } from './artefact-folder.js';
export { ARTEFACT_ROOT, excludeArtefacts } from './exclude-line.js';
