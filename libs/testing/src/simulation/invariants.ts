import { hasEnded } from '#engine';
import { readBody, verifyChain } from '#checkpoints';
import type { MemoryProject, MemoryStore } from '../memory/index.js';
import type { OutsideWorld } from './outside-world.js';

/** A transition that some worker was told is done. */
export interface Acknowledged {
  readonly projectId: string;
  readonly version: number;
  readonly epoch: number;
  readonly cause: string;
}

/** What does not hold after a history; empty when all is well. */
export function brokenInvariants(
  store: MemoryStore,
  world: OutsideWorld,
  acknowledged: readonly Acknowledged[],
): string[] {
  const projects = [...store.projects.values()];
  return [
    ...acknowledged.flatMap((one) => lostTransition(store, one)),
    ...projects.flatMap((project) => [
      ...gaps(project),
      ...toldTwice(project),
      ...notEnded(project),
      ...unannounced(project),
      ...unheardWaits(project, store),
      ...hurriedTimers(project),
      ...unrecordedDuplicates(project, world),
      ...badChain(project, store),
      ...hollow(project, world),
    ]),
    ...duplicates('commit', world.commits),
    ...duplicates('announcement', world.announcements),
    ...leftRunning(world),
  ];
}

function lostTransition(store: MemoryStore, told: Acknowledged): string[] {
  const link = store.projects.get(told.projectId)?.links[told.version - 1];
  const body = link && readBody(link);
  if (body?.epoch === told.epoch && body.cause === told.cause) return [];
  return [`I1: ${told.projectId} lost its acknowledged version ${String(told.version)} (${told.cause})`];
}

function gaps({ facts, links, version, events }: MemoryProject): string[] {
  const isGapless = links.every((link, index) => link.seq === index + 1) && links.length === version;
  const eventsAreGapless = events.every((event, index) => event.seq === index + 1);
  return isGapless && eventsAreGapless ? [] : [`I2: ${facts.name} has gaps in its versions or events`];
}

/** Each attempt of an effect begins once and ends once: a write that was applied twice would say so twice. */
function toldTwice({ facts, events }: MemoryProject): string[] {
  const told = events
    .filter(({ type }) => type.startsWith('effect.'))
    .map(({ type, data }) => `${type} ${JSON.stringify([data['key'], data['attempt']])}`);
  const twice = new Set(told.filter((one, nth) => told.indexOf(one) !== nth));
  return [...twice].map((one) => `I2: ${facts.name} tells twice: ${one}`);
}

function notEnded({ facts, status, state }: MemoryProject): string[] {
  return hasEnded(status) ? [] : [`I3: ${facts.name} did not end: ${status} in ${state}`];
}

/** Who listens outside hears of every state and of the end, once; of children nothing but what they wait for. */
function unannounced({ facts, announcements, events, status }: MemoryProject): string[] {
  if (facts.parent)
    return announcements.map(({ type }) => `I8: ${facts.name} is a child and announced ${type} of itself`);
  const count = (type: string): number => announcements.filter((one) => one.type === type).length;
  const entered = events.filter(({ type }) => type === 'state.entered').length;
  const isHeard = count('project.state_changed') === entered && count(`project.${status}`) === 1;
  return isHeard ? [] : [`I8: ${facts.name} was not announced as it went: ${status} after ${String(entered)} states`];
}

/** Each time that something but a gate of its table waits for a person, that is heard once: of children at their root. */
function unheardWaits({ facts, links }: MemoryProject, store: MemoryStore): string[] {
  const bodies = links.map((link) => readBody(link));
  const asked = bodies.map((body) => (body && !body.paused ? askedOf(body) : null));
  const waits = links.filter((_, nth) => asked[nth] !== null && asked[nth] !== (asked[nth - 1] ?? null));
  const told = store.projects.get(facts.parent?.id ?? facts.id)?.announcements ?? [];
  const heard = told.flatMap(({ data, version }) => {
    const child = data['child'] as { id: string; checkpoint: number } | undefined;
    const isAsked = JSON.stringify(data['waitingFor'] ?? null).match(/"(step-failed|settle-effect)"/) !== null;
    return isAsked && child?.id === (facts.parent ? facts.id : undefined) ? [child?.checkpoint ?? version] : [];
  });
  const expected = waits.map(({ seq }) => seq);
  if (heard.join() === expected.join()) return [];
  return [`I8: ${facts.name} waited for a person at ${expected.join()}, and was heard of at ${heard.join()}`];
}

function askedOf({ visit, wait }: NonNullable<ReturnType<typeof readBody>>): string | null {
  return wait?.kind === 'step-failed' || wait?.kind === 'effect' ? JSON.stringify([visit, wait]) : null;
}

/** A state has its time, all of it since it was entered or the project was resumed last. */
function hurriedTimers({ facts, events, signals }: MemoryProject): string[] {
  const ms = Number(facts.parameters['coolMs'] ?? 0);
  let since = -Infinity;
  return events.flatMap(({ type, data, at }) => {
    const fired =
      type === 'signal.applied' && data['kind'] === 'timer' ? signals[Number(data['signal']) - 1] : undefined;
    const isHurried = fired !== undefined && fired.at < since + ms;
    if (type === 'state.entered' || type === 'project.resumed') since = at;
    return isHurried ? [`I9: ${facts.name} was not given its time: ${String(fired.at)} after ${String(since)}`] : [];
  });
}

function unrecordedDuplicates({ facts, effects }: MemoryProject, world: OutsideWorld): string[] {
  return [...world.executions]
    .filter(([key]) => key.startsWith(`${facts.id}/`))
    .filter(([key, times]) => times > (effects.get(key.slice(facts.id.length + 1))?.starts ?? 0))
    .map(([key, times]) => `I4: ${key} ran ${String(times)} times, which the journal does not know`);
}

function duplicates(what: string, counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .filter(([, times]) => times > 1)
    .map(([key, times]) => `I4: ${what} ${key} made ${String(times)} times`);
}

function badChain({ facts, links, version, headChecksum }: MemoryProject, store: MemoryStore): string[] {
  const anchor = { projectId: facts.id, version, checksum: headChecksum };
  const { faults } = verifyChain(links, anchor, (hash) => store.blobs.get(hash), null);
  return faults.map((fault) => `I5: ${facts.name} link ${String(fault.seq)}: ${fault.reason}`);
}

function leftRunning({ running, outlived }: OutsideWorld): string[] {
  return [
    ...[...running].map(({ projectId, key }) => `I6: ${projectId}/${key} still runs`),
    ...outlived.map((key) => `I6: ${key} ran on when its project had moved on`),
  ];
}

/** A project that says it is complete has really written its files, or made its commits. */
function hollow({ facts, status, links }: MemoryProject, world: OutsideWorld): string[] {
  if (facts.parent !== null) return [];
  if (status === 'failed') return [`I7: ${facts.name} failed by a fault of the engine`];
  if (status !== 'completed') return [];
  const made = facts.machine === 'drill' ? world.files : world.commits.keys();
  const files = [...made].filter((file) => file.startsWith(`${facts.id}/`)).length;
  return files > 0 && links.length > 8 ? [] : [`I7: ${facts.name} is complete and did nothing`];
}
