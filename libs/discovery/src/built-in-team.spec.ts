import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInTeam } from './built-in-team.js';
import { discover } from './discover.js';
import { discoveredPage } from './discovered-page.js';
import { detectDomains } from './domains/detect-domains.js';
import { CRITICAL_REVIEWERS } from './found.js';
import { composeTeam } from './team/compose-team.js';
import { fittingSkills } from './team/skills-for.js';

const NAMES = [
  'architecture-advisor', 'data-engineer', 'devops', 'docs-writer', 'performance-engineer', 'product', 'sde-iii',
  'security-reviewer', 'test-engineer', 'ux-designer',
]; // prettier-ignore

const SKILLS = ['analysis', 'research', 'writing'];

const nowhere = join(builtInTeam(), 'nowhere');
const found = await discover({ repo: nowhere, userFolder: null, builtIn: builtInTeam() });
const rules = { min: 3, max: 7, pin: [], forbid: [] };
const teamFor = (request: string) =>
  composeTeam({ request, discovered: found, domains: detectDomains(request, []), rules });

describe('the built-in team', () => {
  it('is complete, and nothing about it is odd', () => {
    expect(found.diagnostics).toEqual([]);
    expect(found.agents.map(({ name }) => name)).toEqual(NAMES);
    expect(readdirSync(builtInTeam()).sort()).toEqual([...NAMES.map((name) => `${name}.md`), 'skills'].sort());
    expect(found.skills.map(({ name, source }) => [name, source]).sort()).toEqual(
      SKILLS.map((name) => [name, 'built-in']),
    );
    expect(found.agents.filter(({ isCritical }) => isCritical).map(({ name }) => name)).toEqual(
      [...CRITICAL_REVIEWERS].sort(),
    );
  });

  it('reads and runs commands, has a tier and a category of its own each', () => {
    expect(new Set(found.agents.map(({ category }) => category)).size).toBe(NAMES.length);
    for (const { tools, tier, keywords, instructions } of found.agents) {
      expect(tools).toEqual(['list_files', 'read_file', 'run', 'search']);
      expect([tier !== null, keywords.length > 5]).toEqual([true, true]);
      for (const part of ['## How to look', '- P0: ', '- P1: ', '- P2: ', '## What not to report', '## Evidence']) {
        expect(instructions).toContain(part);
      }
    }
  });

  it.each<readonly [string, string]>([
    ['Make the dashboard usable with a screen reader', 'ux-designer'],
    ['The test suite is flaky', 'test-engineer'],
    ['The list is slow and leaks memory', 'performance-engineer'],
    ['The README is out of date', 'docs-writer'],
    ['Add a column to the database with a migration', 'data-engineer'],
    ['Deploy with Docker', 'devops'],
    ['Write acceptance criteria for the onboarding', 'product'],
    ['Users can log in with a password', 'security-reviewer'],
    ['Split the monolith into modules', 'architecture-advisor'],
    ['Fix the crash', 'sde-iii'],
  ])('has a seat for whom it takes: %j, %s', (request, name) => {
    expect(teamFor(request).seats.map(({ agent }) => agent.name)).toContain(name);
  });

  it.each<readonly [string, readonly string[]]>([
    ['Write a guide for new users', ['writing']],
    ['Research which queue fits us and compare the options', ['research']],
    ['Analyse the log file of March', ['analysis']],
    ['Add dark mode toggle', []],
    ['Fix the crash', []],
  ])('has the skills for it: %j, %j', (request, names) => {
    const domains = detectDomains(request, []).map(({ domain }) => domain);
    expect(fittingSkills(found.skills, request, domains).map(({ name }) => name)).toEqual(names);
  });
});

describe('discovered-plugins.json', () => {
  it('holds request, domains, seats, scores with reasons, skills, plugins and diagnostics', () => {
    const request = 'The test suite is flaky';
    const domains = detectDomains(request, []);
    const skill = { ...found.agents[0], kind: 'skill', name: 'flaky', description: 'Finds flaky tests.' };
    const discovered = { ...found, skills: [skill as (typeof found.skills)[number]] };
    const page = JSON.parse(discoveredPage({ request, domains, discovered, team: teamFor(request) })) as Record<
      string,
      unknown
    >;
    expect(page).toMatchObject({
      request,
      domains: [{ domain: 'testing' }],
      seats: expect.arrayContaining([
        expect.objectContaining({ agent: 'test-engineer', source: 'built-in' }),
      ]) as unknown,
      skills: [{ name: 'flaky', score: 6 }],
      plugins: [],
      notes: [],
      diagnostics: [],
    });
    expect(page['agents']).toHaveLength(NAMES.length);
    expect(page['agents']).toContainEqual(expect.objectContaining({ agent: 'devops', isSeated: false, score: 0, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown })); // prettier-ignore
    expect(JSON.stringify(page)).not.toContain('How to look');
  });
});
