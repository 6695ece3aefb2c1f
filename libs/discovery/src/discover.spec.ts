import { mkdirSync, symlinkSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#kernel';
import { discover } from './discover.js';
import { agentText, openPlaces, write } from './discovery.fixture.js';

let places: ReturnType<typeof openPlaces>;
beforeEach(() => {
  places = openPlaces();
});
afterEach(() => places.remove());

const named = (name: string, more: Record<string, string> = {}) =>
  agentText({ name, description: `It is ${name}.`, ...more });
const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

describe('agents', () => {
  it('are found in all folders below .claude/agents, by what their files say', async () => {
    const text = agentText({ name: 'db-guard', description: 'Guards.', model: 'opus', tools: 'Read, Grep', category: 'Data', keywords: '[SQL, index]', color: 'red' }, 'Read it.'); // prettier-ignore
    write(places.repo, { '.claude/agents/a/b/other-name.md': text, '.claude/agents/notes.txt': 'x' });
    const { agents, diagnostics } = await places.found();
    expect(diagnostics).toEqual([]);
    expect(agents).toEqual([
      {
        kind: 'agent', name: 'db-guard', description: 'Guards.', source: 'repository', plugin: null,
        path: '.claude/agents/a/b/other-name.md', hash: sha256Hex(text), category: 'data', tier: 'large',
        tools: ['Read', 'Grep'], isCritical: false, instructions: 'Read it.', keywords: ['sql', 'index'],
      },
    ]); // prettier-ignore
  });

  it('are loaded with a warning where something is odd, and skipped only without a description', async () => {
    write(places.repo, {
      '.claude/agents/no-name.md': agentText({ description: 'Has none.' }),
      '.claude/agents/odd.md': agentText({ name: 'Odd Name!', description: 'It: is odd', model: 'gpt' }),
      '.claude/agents/README.md': '# Agents\n',
      '.claude/agents/silent.md': agentText({ name: 'silent' }),
      '.claude/agents/unseen.md': agentText({ name: 'unseen', description: '"\\x01 \\u200b\\u202e"' }),
      '.claude/agents/binary.md': Buffer.from([0x2d, 0, 1]),
      '.claude/agents/huge.md': 'x'.repeat(300_000),
      '.claude/agents/日本.md': agentText({ description: 'Nobody can name it.' }),
    });
    const { agents, diagnostics } = await places.found();
    expect(namesOf(agents)).toEqual(['no-name', 'odd-name']);
    expect(diagnostics.map(({ level, path, message }) => `${level} ${path.slice(15)}: ${message.slice(0, 34)}`)).toEqual([
      'skipped README.md: has no front matter; has no descri',
      'skipped binary.md: is no text',
      'skipped huge.md: has more than 262144 bytes',
      'warning no-name.md: has no name that could be used, an',
      'warning odd.md: has a name with other characters t',
      'warning odd.md: has a front matter that is no YAML',
      'warning odd.md: names a model that is of no known ',
      'skipped silent.md: has no description',
      'skipped unseen.md: has no description',
      'warning 日本.md: has no name that could be used, an',
      'skipped 日本.md: has no name, and its path gives no',
    ]); // prettier-ignore
  });

  it('have instructions of at most 32 KB, cut between characters', async () => {
    write(places.repo, {
      '.claude/agents/long.md': agentText({ name: 'long', description: 'Long.' }, `a${'é'.repeat(20_000)}`),
    });
    const { agents, diagnostics } = await places.found();
    expect(agents[0]?.instructions).toBe(`a${'é'.repeat(16_383)}`);
    expect(diagnostics).toMatchObject([{ level: 'warning', path: '.claude/agents/long.md' }]);
  });

  it('of one name are the nearest of them; the others are told', async () => {
    write(places.repo, {
      '.claude/agents/one.md': named('one'),
      '.claude-plugin/plugin.json': '{"name":"kit"}',
      'agents/one.md': named('one'),
      'agents/two.md': named('two'),
    });
    write(places.user, {
      'agents/one.md': named('one'),
      'agents/two.md': named('two'),
      'agents/three.md': named('three'),
    });
    write(places.builtIn, { 'three.md': named('three'), 'four.md': named('four') });
    const { agents, diagnostics } = await places.found();
    expect(agents.map(({ name, source }) => `${name} ${source}`)).toEqual([
      'four built-in',
      'one repository',
      'three user',
      'two user',
    ]);
    expect(diagnostics.map(({ path }) => path)).toEqual([
      join(places.user, 'agents/one.md'),
      'agents/one.md',
      'team/three.md',
      'agents/two.md',
    ]);
  });

  it('do not replace a critical built-in reviewer: both are there', async () => {
    write(places.repo, { '.claude/agents/s.md': named('security-reviewer', { model: 'opus', tools: 'Read, Bash' }) });
    write(places.builtIn, { 's.md': named('security-reviewer', { model: 'sonnet', tools: 'read_file, search' }) });
    const { agents, diagnostics } = await places.found();
    expect(agents).toMatchObject([
      { source: 'repository', isCritical: false, tools: ['Read'], tier: 'medium' },
      { source: 'built-in', isCritical: true, tools: ['read_file', 'search'], tier: 'medium' },
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'does not get Bash: the built-in security-reviewer has no such tools',
      'does not get the large tier: the built-in security-reviewer is medium',
      'does not take the place of the built-in security-reviewer unless it is pinned',
    ]);
  });

  it.each([
    [{}, { tools: ['read_file', 'search'], tier: 'medium' }],
    [
      { tools: '"*"', model: 'inherit' },
      { tools: ['read_file', 'search'], tier: 'medium' },
    ],
    [
      { tools: 'Grep', model: 'haiku' },
      { tools: ['Grep'], tier: 'small' },
    ],
    [{ tools: '[]' }, { tools: [] }],
    [{ tools: 'Write, Bash(rm *)' }, { tools: [] }],
  ])('under the name of a built-in one that say %j narrow it and never widen it', async (fields, narrowed) => {
    write(places.repo, { '.claude/agents/d.md': named('docs-writer', fields) });
    write(places.builtIn, { 'd.md': named('docs-writer', { model: 'sonnet', tools: 'read_file, search' }) });
    expect((await places.found()).agents).toMatchObject([{ source: 'repository', ...narrowed }]);
  });
});

describe('skills', () => {
  it('are folders with a SKILL.md, in three places; what else is in them is theirs', async () => {
    const skill = (name: string) => agentText({ name, description: 'Knows.', 'allowed-tools': 'Read Bash(git *)' });
    write(places.repo, {
      '.claude/skills/one/SKILL.md': skill('one'),
      '.claude/skills/one/more/SKILL.md': skill('inner'),
      '.agents/skills/group/two/SKILL.md': skill('other'),
      '.agents/skills/README.md': 'x',
    });
    write(places.user, { 'skills/three/SKILL.md': skill('three'), 'skills/one/SKILL.md': skill('one') });
    const { skills, diagnostics } = await places.found();
    expect(skills.map(({ name, source, tools }) => [name, source, tools?.length])).toEqual([
      ['one', 'repository', 2],
      ['other', 'repository', 2],
      ['three', 'user', 2],
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'is named other, unlike its folder',
      'is not used: one is also in .claude/skills/one/SKILL.md, which is nearer',
    ]);
  });
});

describe('plugins', () => {
  it('are found by manifest, marketplace and folder, with what they bring', async () => {
    write(places.repo, {
      '.claude-plugin/plugin.json': '{"name":"self","description":"Itself."}',
      'agents/own.md': named('own'),
      '.claude-plugin/marketplace.json': JSON.stringify({
        name: 'market',
        plugins: [
          { name: 'near', source: './plugins/near', description: 'Near.' },
          { name: 'far', source: { source: 'github', repo: 'a/b' } },
          { name: 'web', source: 'https://example.org/x.git' },
          { name: 'out', source: '../elsewhere' },
          { name: 'gone', source: './plugins/gone' },
          null,
        ],
      }),
      'plugins/near/agents/helper.md': named('helper'),
      'plugins/near/skills/knack/SKILL.md': named('knack'),
      '.claude/plugins/kit/.claude-plugin/plugin.json': '{"name":"kit","skills":["./x"]}',
      '.claude/plugins/kit/agents/tool.md': named('tool'),
      '.claude/plugins/none/readme.txt': '',
    });
    write(places.folder.path, { 'elsewhere/agents/spy.md': named('spy') });
    const { agents, skills, plugins, diagnostics } = await places.found();
    expect(namesOf(plugins)).toEqual(['kit', 'near', 'self']);
    expect(agents.map(({ name, source, plugin }) => [name, source, plugin])).toEqual([
      ['helper', 'plugin', 'near'],
      ['own', 'plugin', 'self'],
      ['tool', 'plugin', 'kit'],
    ]);
    expect(skills).toMatchObject([{ name: 'knack', plugin: 'near' }]);
    expect(diagnostics.map(({ message }) => message.slice(0, 36))).toEqual([
      'the plugin far does not lie in this ',
      'the plugin web does not lie in this ',
      'leads out of the folder that is sear',
      'the plugin out is not to be found in',
      'the plugin gone is not to be found i',
      'the plugin without a name does not l',
      'says where its skills are; only thos',
      'is no plugin: it has no .claude-plug',
    ]);
  });

  it('of a marketplace are so many; that there are more is told', async () => {
    const plugins = Array.from({ length: 201 }, (_, nth) => ({ name: `p${String(nth)}`, source: `./p${String(nth)}` }));
    write(places.repo, { '.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins }) });
    const { diagnostics } = await places.found();
    expect([diagnostics.length, diagnostics[0]?.message]).toEqual([201, 'only its first 200 plugins are looked at']);
  });

  it.each(['', '[]', '{"name":7}', '{"name":"__proto__","__proto__":{"a":1}}', '{"a":'.repeat(1_000), '"x"'])(
    'are skipped where their manifest is %j',
    async (manifest) => {
      write(places.repo, {
        '.claude-plugin/plugin.json': manifest,
        '.claude/plugins/a/.claude-plugin/plugin.json': manifest,
      });
      const { plugins, diagnostics } = await places.found();
      expect([plugins, diagnostics.every(({ level }) => level === 'skipped')]).toEqual([[], true]);
      expect(diagnostics.length).toBeGreaterThan(0);
    },
  );
});

describe('links', () => {
  it('that lead out of the repository are refused, those inside are followed once', async () => {
    write(places.folder.path, { 'secret/spy.md': named('spy') });
    write(places.repo, { 'shared/one.md': named('one'), '.claude/skills/a/SKILL.md': named('a') });
    mkdirSync(join(places.repo, '.claude/agents/inner'), { recursive: true });
    mkdirSync(join(places.repo, '.agents'));
    symlinkSync('../../shared', join(places.repo, '.claude/agents/linked'));
    symlinkSync('../../shared/one.md', join(places.repo, '.claude/agents/one.md'));
    symlinkSync('..', join(places.repo, '.claude/agents/inner/circle'));
    symlinkSync('../.claude/skills', join(places.repo, '.agents/skills'));
    symlinkSync(join(places.folder.path, 'secret'), join(places.repo, '.claude/agents/out'));
    symlinkSync(join(places.folder.path, 'secret/spy.md'), join(places.repo, '.claude/agents/spy.md'));
    symlinkSync('nowhere', join(places.repo, '.claude/agents/dead.md'));
    const { agents, skills, diagnostics } = await places.found();
    expect([namesOf(agents), namesOf(skills)]).toEqual([['one'], ['a']]);
    expect(diagnostics.map(({ level, path }) => `${level} ${path}`)).toEqual([
      'skipped .claude/agents/out',
      'skipped .claude/agents/spy.md',
    ]);
  });

  it('cannot put the whole folder elsewhere', async () => {
    write(places.folder.path, { 'secret/agents/spy.md': named('spy') });
    symlinkSync(join(places.folder.path, 'secret'), join(places.repo, '.claude'));
    const { agents, diagnostics } = await places.found();
    expect(agents).toEqual([]);
    expect(diagnostics).toContainEqual(expect.objectContaining({ level: 'skipped', path: '.claude/agents' }));
  });
});

describe('a search', () => {
  it('ends: at pipes, in the depth, and after many files', async () => {
    write(places.repo, { [`.claude/agents/${'d/'.repeat(12)}deep.md`]: named('deep') });
    execFileSync('mkfifo', [join(places.repo, '.claude/agents/pipe.md')]);
    const many = Array.from({ length: 2_100 }, (_, nth) => [
      `.claude/agents/many/s${String(nth)}.md`,
      named(`s${String(nth)}`),
    ]);
    write(places.repo, Object.fromEntries(many) as Record<string, string>);
    const { agents, diagnostics } = await places.found();
    expect(agents).toHaveLength(2_000);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'lies too deep and is not searched',
      'only 2000 files are read; no more follow',
    ]);
  }, 30_000);

  it('finds the same again, in the same order', async () => {
    write(places.repo, {
      '.claude/agents/b.md': named('b'),
      '.claude/agents/a.md': named('a'),
      '.claude/agents/c.md': 'x',
    });
    expect(await places.found()).toEqual(await places.found());
  });

  it('finds nothing where there is nothing, and says so of a folder that somebody named', async () => {
    const nowhere = join(places.folder.path, 'nowhere');
    expect(await discover({ repo: nowhere, userFolder: nowhere, builtIn: nowhere })).toEqual({
      agents: [],
      skills: [],
      plugins: [],
      diagnostics: [{ level: 'skipped', path: nowhere, message: 'is no folder' }],
    });
  });
});
