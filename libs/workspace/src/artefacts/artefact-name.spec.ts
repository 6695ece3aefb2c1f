import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agentArtefact, checkpointArtefact, isArtefactName, mustBeArtefactName } from './artefact-name.js';

it.each([
  'state.json',
  'STATE.md',
  'decisions.log',
  'agent-outputs/sde-iii.md',
  'agent-outputs/a.b.md',
  'checkpoints/000001.json',
  'checkpoints/latest.json',
])('knows %s', (name) => expect(isArtefactName(name)).toBe(true));

it.each([
  '',
  '.',
  '..',
  '../state.json',
  '/etc/passwd',
  'state.json/',
  './state.json',
  'STATE.MD',
  'agent-outputs/../state.json',
  'agent-outputs/.md',
  'agent-outputs/..md',
  'agent-outputs/a..b.md',
  'agent-outputs/a/b.md',
  'agent-outputs/.hidden.md',
  'agent-outputs/a.md\0',
  'agent-outputs/a.md\n',
  'checkpoints/1.json',
  'checkpoints/000001.json.part',
  'checkpoints',
  'agent-outputs',
  'state.json\0.md',
])(/* prettier-ignore */ 'refuses %j', (name) => {
  expect(() => mustBeArtefactName(name)).toThrow(expect.objectContaining({ code: 'ARTEFACT_NAME_INVALID' }) as Error);
});

it('makes a name of any agent and of any checkpoint that is one', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (agent) => isArtefactName(agentArtefact(agent))));
  fc.assert(fc.property(fc.nat(), (seq) => isArtefactName(checkpointArtefact(seq))));
  expect([agentArtefact('sde-iii'), checkpointArtefact(12)]).toEqual([
    'agent-outputs/sde-iii.md',
    'checkpoints/000012.json',
  ]);
});

it('lets no name leave its folder', () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '/',
    'agent-outputs',
    'checkpoints',
    'a',
    '.md',
    '.json',
    '000001',
    '\\',
    '\0',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const name = pieces.join('');
      if (isArtefactName(name)) expect(name).not.toMatch(/\.\.|\\|^\/|\0|\/.*\//);
    }),
  );
});
