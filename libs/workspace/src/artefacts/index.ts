export { agentArtefact, checkpointArtefact, isArtefactName } from './artefact-name.js';
export * from './artefact-folder.js';
export * from './artefacts.js';
export { ARTEFACT_ROOT, excludeArtefacts } from './exclude-line.js';
